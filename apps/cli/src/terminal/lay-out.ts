import type { Block, Table } from './table.ts';

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
