import { visible } from './visible.ts';

/** A value for a person; null and undefined show as `-`. */
export type Cell = string | number | null | undefined;

/** Columns under their headings. The first ones matter most: a narrow terminal leaves out the last. */
export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What an answer is made of: lines, and tables that are laid out when the width is known. */
export type Block = string | Table;

/** A table; nothing for no rows, not a heading over nothing. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): Block[] {
  return rows.length === 0 ? [] : [{ headings, rows: rows.map((row) => row.map(textOf)) }];
}

/** One line per field, the values aligned. */
export function fields(pairs: readonly (readonly [name: string, value: Cell])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`);
}

function textOf(value: Cell): string {
  return visible(String(value ?? '')) || '-';
}
