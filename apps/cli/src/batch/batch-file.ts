import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import {
  BATCH_BYTES_MAX,
  BATCH_ROWS_MAX,
  type BatchColumn,
  BatchCsvReader,
  escapeHidden,
  type SpreadsheetDoubt,
  spreadsheetDoubt,
  type ValidationError,
} from '@insurance-verification/schema';
import { rightExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';

export const EXAMPLE = 'iv batch create visits.csv --callback-url https://clinic.example/verified';

/** A file of rows, as it was before it was sent. */
export interface BatchFile {
  readonly path: string;
  readonly format: 'csv' | 'ndjson';
  /** Whether it begins with a byte order mark, without which Excel takes UTF-8 for another encoding. */
  readonly hasMark: boolean;
  /** SHA-256, in hex. */
  readonly digest: string;
  readonly rowCount: number;
  /** How many rows there are in so many bytes, at every ten thousandth row. */
  readonly marks: readonly { readonly row: number; readonly byteCount: number }[];
  /** What a spreadsheet seems to have done, by row and column. */
  readonly doubts: readonly {
    readonly row: number;
    readonly column: BatchColumn;
    readonly doubt: SpreadsheetDoubt;
  }[];
}

const MARK_ROWS = 10_000;

/**
 * Reads a file to its end, before any of it is sent: a file that the service would refuse in its middle leaves no half of
 * a batch.
 * @throws {WrongUsageError} for a file that cannot be read, or whose whole the service would refuse. Never with a value.
 */
export async function inspectFile(path: string): Promise<BatchFile> {
  const format = formatOf(path);
  const { digest, byteCount, hasMark } = await digestOf(path);
  if (byteCount > BATCH_BYTES_MAX) throw unusable(path, 'expected 64 MiB at most');
  let rowCount = 0;
  const marks: BatchFile['marks'][number][] = [];
  const doubts: BatchFile['doubts'][number][] = [];
  for await (const { row, cells, columns, byteCount: through } of readRows({ path, format })) {
    if (row % MARK_ROWS === 0 && row > 0) marks.push({ row, byteCount: through });
    rowCount = row;
    if (row > 0 && cells.length === columns.length)
      for (const [index, column] of columns.entries()) {
        const doubt = column && spreadsheetDoubt(column, cells[index] ?? '');
        if (column !== null && doubt !== null) doubts.push({ row, column, doubt });
      }
  }
  if (rowCount === 0) throw unusable(path, 'it has no row');
  if (rowCount > BATCH_ROWS_MAX) throw unusable(path, 'expected 100,000 rows at most');
  return { path, format, hasMark, digest, rowCount, marks, doubts };
}

function formatOf(path: string): BatchFile['format'] {
  const extension = extname(path).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson';
  throw unusable(path, 'expected a name that ends with .csv, .ndjson or .jsonl');
}

async function digestOf(path: string) {
  const hash = createHash('sha256');
  let byteCount = 0;
  let hasMark = false;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      if (byteCount === 0) hasMark = chunk.subarray(0, 3).toString('hex') === 'efbbbf';
      byteCount += chunk.length;
      hash.update(chunk);
    }
  } catch (err) {
    throw unusable(path, `it cannot be read (${(err as NodeJS.ErrnoException).code ?? 'unreadable'})`);
  }
  return { digest: hash.digest('hex'), byteCount, hasMark };
}

const unusable = (path: string, why: string) =>
  new WrongUsageError(`${escapeHidden(path)} cannot be sent: ${why}.\n${rightExample(EXAMPLE)}`);

/** A row of a file, numbered as the service numbers it. */
export interface FileRow {
  /** From 1; 0 is the header row of a CSV file. Blank lines do not count. */
  readonly row: number;
  /** Of a CSV file; empty for NDJSON. */
  readonly cells: readonly string[];
  /** The columns of its cells, null for one that is ignored; empty for NDJSON. */
  readonly columns: readonly (BatchColumn | null)[];
  /** The row as it is in the file, without its line end. */
  readonly line: string;
  /** Bytes of the file up to the end of this row, or some thousand more. */
  readonly byteCount: number;
}

/** @throws {WrongUsageError} where a CSV file is not one. */
export function readRows({ path, format }: Pick<BatchFile, 'path' | 'format'>): AsyncGenerator<FileRow> {
  return format === 'csv' ? readRecords(path) : readLines(path);
}

async function* readRecords(path: string): AsyncGenerator<FileRow> {
  const reader = new BatchCsvReader();
  let byteCount = 0;
  let row = -1;
  for await (const text of withEnd(textOf(path))) {
    byteCount += Buffer.byteLength(text ?? '');
    const read = text === null ? reader.end() : reader.push(text);
    const { columns } = reader;
    if (row < 0 && columns)
      yield { row: (row = 0), cells: reader.header, columns, line: reader.headerText, byteCount };
    for (const { cells, text: line } of read)
      yield { row: (row += 1), cells, columns: columns ?? [], line, byteCount };
    if (reader.fault) throw unusable(path, whyOf(reader.fault));
  }
}

const whyOf = ({ type, loc, msg }: ValidationError): string =>
  type === 'csv_parsing'
    ? `in row ${loc.at(-1)} a quoted cell is not closed, or the row is larger than 1 MiB`
    : msg;

/** The parts of a text, then null. */
async function* withEnd(parts: AsyncIterable<string>): AsyncGenerator<string | null> {
  yield* parts;
  yield null;
}

async function* readLines(path: string): AsyncGenerator<FileRow> {
  let row = 0;
  let byteCount = 0;
  let rest = '';
  for await (const text of textOf(path)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      byteCount += Buffer.byteLength(line) + 1;
      if (line.trim() !== '') yield { row: (row += 1), cells: [], columns: [], line, byteCount };
    }
  }
  byteCount += Buffer.byteLength(rest);
  if (rest.trim() !== '') yield { row: row + 1, cells: [], columns: [], line: rest, byteCount };
}

/** A file's text. @throws {WrongUsageError} where it is not UTF-8. */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
      yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (err) {
    if (!(err instanceof TypeError)) throw err;
    throw unusable(path, 'expected text in UTF-8; in Excel, save it as "CSV UTF-8"');
  }
}
