import { escapeHidden } from '@insurance-verification/schema';

/** A value for a person; null and undefined show as `-`. */
export type Cell = string | number | null | undefined;

/** Columns under their headings, the most important first: a narrow terminal drops the last ones. */
export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A part of an answer: a line, or a table that is laid out once the width is known. */
export type Block = string | Table;

/** A table; without rows nothing, not a lone heading. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): Block[] {
  return rows.length === 0 ? [] : [{ headings, rows: rows.map((row) => row.map(textOf)) }];
}

/** One field per line, the values aligned. */
export function fields(pairs: readonly (readonly [name: string, value: Cell])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`);
}

function textOf(value: Cell): string {
  return escapeHidden(String(value ?? '')) || '-';
}
