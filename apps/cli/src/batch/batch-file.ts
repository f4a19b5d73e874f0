import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import {
  BATCH_BYTES_MAX,
  BATCH_CSV_OPTIONS,
  BATCH_ROWS_MAX,
  type BatchColumn,
  batchColumnsOf,
  escapeHidden,
  type SpreadsheetDoubt,
  spreadsheetDoubt,
} from '@insurance-verification/schema';
import { CsvError, parse } from 'csv-parse';
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
  let columns: readonly BatchColumn[] = [];
  let rowCount = 0;
  const marks: BatchFile['marks'][number][] = [];
  const doubts: BatchFile['doubts'][number][] = [];
  for await (const { row, cells, byteCount: through } of readRows({ path, format })) {
    if (row === 0) columns = columnsOf(path, cells);
    if (row % MARK_ROWS === 0 && row > 0) marks.push({ row, byteCount: through });
    rowCount = row;
    if (row > 0 && cells.length === columns.length)
      for (const [index, column] of columns.entries()) {
        const doubt = spreadsheetDoubt(column, cells[index] ?? '');
        if (doubt !== null) doubts.push({ row, column, doubt });
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

function columnsOf(path: string, header: readonly string[]): readonly BatchColumn[] {
  const { columns, fault } = batchColumnsOf(header);
  if (fault) throw unusable(path, fault.msg);
  return columns;
}

const unusable = (path: string, why: string) =>
  new WrongUsageError(`${escapeHidden(path)} cannot be sent: ${why}.\n${rightExample(EXAMPLE)}`);

/** A row of a file, numbered as the service numbers it. */
export interface FileRow {
  /** From 1; 0 is the header row of a CSV file. Blank lines do not count. */
  readonly row: number;
  /** Of a CSV file; empty for NDJSON. */
  readonly cells: readonly string[];
  /** The line of an NDJSON file; empty for CSV. */
  readonly line: string;
  /** Bytes of the file up to the end of this row. */
  readonly byteCount: number;
}

/** @throws {WrongUsageError} where a CSV file is not one. */
export function readRows({ path, format }: Pick<BatchFile, 'path' | 'format'>): AsyncGenerator<FileRow> {
  return format === 'csv' ? readRecords(path) : readLines(path);
}

async function* readRecords(path: string): AsyncGenerator<FileRow> {
  const records = parse({ ...BATCH_CSV_OPTIONS, info: true });
  // An error of the file destroys the parser with it, and so ends the loop.
  pipeline(Readable.from(textOf(path)), records, () => undefined);
  let row = 0;
  try {
    for await (const { record, info } of records as AsyncIterable<Parsed>) {
      yield { row, cells: record, line: '', byteCount: info.bytes };
      row += 1;
    }
  } catch (err) {
    if (err instanceof CsvError)
      throw unusable(
        path,
        `in row ${Math.max(records.info.records, 1)} a quoted cell is not closed, or not quoted as RFC 4180 has it`,
      );
    throw err;
  }
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly bytes: number };
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
      if (line.trim() !== '') yield { row: (row += 1), cells: [], line, byteCount };
    }
  }
  byteCount += Buffer.byteLength(rest);
  if (rest.trim() !== '') yield { row: row + 1, cells: [], line: rest, byteCount };
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
