import { visible } from './visible.ts';

/** A value for a person; null and undefined show as `-`. */
export type Cell = string | number | null | undefined;

/** Aligned columns under their headings, one line per row; nothing for no rows. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  if (rows.length === 0) return [];
  return align([headings, ...rows.map((row) => row.map(textOf))]);
}

/** One line per field, the values aligned. */
export function fields(pairs: readonly (readonly [name: string, value: Cell])[]): string[] {
  return align(pairs.map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: Cell): string {
  return visible(String(value ?? '')) || '-';
}

function align(rows: readonly (readonly string[])[]): string[] {
  const columnCount = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columnCount }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
