import { unparse } from 'papaparse';
import { areCells, memberOf } from './judge-file.ts';
import type { ReadFile } from './read-file.ts';

/** The faults of a row, as the service reports them. */
interface Rejected {
  readonly row: number;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/**
 * The rejected rows of a file, as the sender wrote them, with `row` and `error`: to be corrected and sent
 * again. Cells stay as they are, formulas included: a leading apostrophe would be another value.
 */
export function rejectedRows(
  {
    format,
    header,
    columns,
    rows,
    hasMark,
  }: Pick<ReadFile, 'format' | 'header' | 'columns' | 'rows' | 'hasMark'>,
  rejected: readonly Rejected[],
): string {
  const errors = new Map<number, string>();
  for (const { row, loc, msg } of rejected) {
    const place = loc.slice(1).join('.');
    const error = place === '' ? msg : `${place}: ${msg}`;
    const before = errors.get(row);
    errors.set(row, before === undefined ? error : `${before}; ${error}`);
  }
  const lines = [...errors].flatMap(([row, error]) => {
    const sent = rows[row - 1];
    return sent === undefined ? [] : [{ row, error, sent }];
  });
  // In front: a row may have more cells than the header row, which is its fault.
  // Without its mark, a spreadsheet would take its letters for others.
  const mark = hasMark ? '\uFEFF' : '';
  if (format === 'csv') {
    // A file of rows that were rejected before has these columns already: it gets new ones.
    const own = (cells: readonly string[]) => cells.filter((_, index) => columns?.[index] !== null);
    const head = `${mark}${unparse([['row', 'error', ...own(header)]])}\r\n`;
    return lines.reduce((text, { row, error, sent }) => {
      const rest = areCells(sent) ? unparse([own(sent)]) : typeof sent === 'string' ? sent : sent.text;
      return `${text}${unparse([[row, error]])},${rest}\r\n`;
    }, head);
  }
  return lines
    .map(({ row, error, sent }) => {
      const member = typeof sent === 'string' ? memberOf(sent) : undefined;
      const own = isMembers(member) ? member : { line: sent };
      return `${JSON.stringify({ row, error, ...own })}\n`;
    })
    .join('');
}

const isMembers = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `visits.csv` as `visits.csv.rejected.csv`, as `iv batch create` names it. */
export const rejectedName = ({ name }: Pick<File, 'name'>, { format }: Pick<ReadFile, 'format'>): string =>
  `${name}.rejected.${format}`;
