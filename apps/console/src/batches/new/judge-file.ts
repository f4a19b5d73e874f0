import {
  type BatchColumn,
  type BatchDefaults,
  CELL_COUNT_FAULT,
  judgeBatchRow,
  REFERENCE_TWICE_FAULT,
  rowOfCells,
  type Schemas,
  type SpreadsheetDoubt,
  spreadsheetDoubt,
  type ValidationError,
} from '@insurance-verification/schema';
import { type BrokenRow, type FileRow, type ReadFile, turn } from './read-file.ts';

/** A fault in a row of a file. */
export interface RowFault extends ValidationError {
  /** The number of the row, from 1; the header row and blank lines do not count. */
  readonly row: number;
  /** Null without one. */
  readonly reference: string | null;
  /** A hint that only this file gives, next to the service's sentence; absent without one. */
  readonly note?: string;
}

/** What a spreadsheet seems to have done to the cells of a column. */
export interface ColumnDoubt {
  readonly column: BatchColumn;
  readonly doubt: SpreadsheetDoubt;
  readonly count: number;
  /** The numbers of the first such rows. */
  readonly rows: readonly number[];
}

/** A file whose rows are judged. */
export interface JudgedFile {
  readonly rejectedCount: number;
  /** The first faults, in the order of the rows. */
  readonly faults: readonly RowFault[];
  readonly doubts: readonly ColumnDoubt[];
}

interface Judging {
  readonly schemas: Pick<Schemas, 'BatchRow' | 'RequestInfo'>;
  /** What holds for rows that do not say otherwise. */
  readonly defaults: BatchDefaults;
  readonly now: Date;
}

/** Faults that are kept for the page. */
const FAULTS_MAX = 200;

/** Rows that a doubt names. */
const DOUBT_ROWS_MAX = 5;

/** Rows that are judged before the page gets its turn, in some 10 ms. */
const PART_ROWS = 200;

/** Judges the rows of a file in the service's words, before anything is sent. Nothing in it is mended. */
export async function judgeFile(
  { rows, columns }: Pick<ReadFile, 'rows' | 'columns'>,
  judging: Judging,
  signal: AbortSignal,
): Promise<JudgedFile> {
  const faults: RowFault[] = [];
  const doubts = new Map<string, ColumnDoubt & { readonly rows: number[] }>();
  const firstWith = new Map<string, number>();
  let rejectedCount = 0;
  for (const [index, sent] of rows.entries()) {
    if (index % PART_ROWS === PART_ROWS - 1) await turn(signal);
    const row = index + 1;
    const { reference, found } = judge(sent, columns ?? [], judging);
    const first = reference === null ? undefined : firstWith.get(reference);
    if (reference !== null && first === undefined) firstWith.set(reference, row);
    const all = first === undefined ? found : [...found, sameReference(first)];
    if (all.length > 0) rejectedCount += 1;
    for (const fault of all) if (faults.length < FAULTS_MAX) faults.push({ row, reference, ...fault });
    if (areCells(sent)) noteDoubts(sent, columns ?? [], row, doubts);
  }
  return { rejectedCount, faults, doubts: [...doubts.values()] };
}

type FoundFault = Omit<RowFault, 'row' | 'reference'>;

interface Judged {
  readonly reference: string | null;
  readonly found: readonly FoundFault[];
}

/** Returns whether the cells of a row could be read. */
export const areCells = (sent: FileRow): sent is readonly string[] => Array.isArray(sent);

const isBroken = (sent: FileRow): sent is BrokenRow => typeof sent === 'object' && 'fault' in sent;

function judge(
  sent: FileRow,
  columns: readonly (BatchColumn | null)[],
  { schemas, ...options }: Judging,
): Judged {
  if (isBroken(sent)) return { reference: null, found: [sent.fault] };
  const raw = typeof sent === 'string' ? memberOf(sent) : rowOfCells(columns, sent);
  if (raw === undefined) return { reference: null, found: [NO_JSON] };
  if (raw === null && typeof sent !== 'string') return { reference: null, found: [CELL_COUNT_FAULT] };
  const { reference, faults } = judgeBatchRow(schemas, raw, options);
  return { reference, found: faults };
}

const NO_JSON: FoundFault = {
  loc: ['body'],
  msg: 'JSON decode error',
  type: 'json_invalid',
  note: 'The line should be one JSON object',
};

/** A line of NDJSON as a value; undefined where it is not JSON. */
export function memberOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // the line's fault, which the caller reports
  }
}

const sameReference = (first: number): FoundFault => ({
  ...REFERENCE_TWICE_FAULT,
  note: `Row ${first.toLocaleString('en-US')} has the same reference`,
});

function noteDoubts(
  cells: readonly string[],
  columns: readonly (BatchColumn | null)[],
  row: number,
  doubts: Map<string, ColumnDoubt & { readonly rows: number[] }>,
): void {
  for (const [index, column] of columns.entries()) {
    const doubt = column && spreadsheetDoubt(column, cells[index] ?? '');
    if (column === null || doubt === null) continue;
    const key = `${column} ${doubt}`;
    const before = doubts.get(key) ?? { column, doubt, count: 0, rows: [] };
    if (before.rows.length < DOUBT_ROWS_MAX) before.rows.push(row);
    doubts.set(key, { ...before, count: before.count + 1 });
  }
}
