import { escapeHidden } from '@insurance-verification/schema';

/** A value for a person; null and undefined show as `-`. */
export type Cell = string | number | null | undefined;

/** Columns under their headings, the most important first: a narrow terminal drops the last ones. */
interface Table {
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

/** A duration for a person to read: `45 s`, `12 min`, `3 h 10 min`, `2 d 4 h`. */
export function durationText(seconds: number): string {
  const whole = Math.max(Math.round(seconds), 0);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h${rest(minutes % 60, 'min')}`;
  return `${Math.floor(hours / 24)} d${rest(hours % 24, 'h')}`;
}

function rest(count: number, unit: string): string {
  return count === 0 ? '' : ` ${count} ${unit}`;
}

/** Lines for a terminal, and the columns that did not fit. */
export interface Layout {
  readonly lines: readonly string[];
  /** Headings of the columns left out. */
  readonly leftOut: readonly string[];
}

const GAP = '  ';

/** The minimum width of a text column, ellipsis included. */
const TEXT_LEAST = 12;

/** Values that must not be cut: an id is there to be copied, and half a time is another time. */
const WHOLE = /^([a-z]+_[0-9a-z]{10,}|\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)|-)$/;

/** Lays out tables within a width: cuts text columns first, then drops columns from the last one on. */
export function layOut(blocks: readonly Block[], width: number): Layout {
  const parts = blocks.map((block) =>
    typeof block === 'string' ? { lines: [block], leftOut: [] } : layOutTable(block, width),
  );
  return {
    lines: parts.flatMap(({ lines }) => lines),
    leftOut: [...new Set(parts.flatMap(({ leftOut }) => leftOut))],
  };
}

function layOutTable({ headings, rows }: Table, width: number): Layout {
  const columns = headings.map((heading, index) => [heading, ...rows.map((row) => row[index] ?? '')]);
  const wanted = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const least = columns.map(([heading = '', ...cells], index) => {
    const isWhole = cells.every((cell) => WHOLE.test(cell));
    return isWhole
      ? (wanted[index] ?? 0)
      : Math.min(wanted[index] ?? 0, Math.max(heading.length, TEXT_LEAST));
  });
  let count = headings.length;
  while (count > 1 && widthOf(least.slice(0, count)) > width) count -= 1;
  const widths = narrowed(wanted.slice(0, count), least, width);
  const lines = [headings, ...rows].map((row) =>
    widths
      .map((most, index) => cut(row[index] ?? '', most).padEnd(most))
      .join(GAP)
      .trimEnd(),
  );
  return { lines, leftOut: headings.slice(count) };
}

/** Narrows the widest column first, until all fit or none can shrink further. */
function narrowed(wanted: readonly number[], least: readonly number[], width: number): number[] {
  const widths = [...wanted];
  while (widthOf(widths) > width) {
    const rooms = widths.map((each, index) => (each > (least[index] ?? 0) ? each : 0));
    const widest = rooms.indexOf(Math.max(...rooms));
    if (rooms[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function widthOf(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, 0) + GAP.length * (widths.length - 1);
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
