import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import {
  BATCH_BYTES_MAX,
  BATCH_CSV_OPTIONS,
  BATCH_ROWS_MAX,
  type BatchColumn,
  batchColumnsOf,
  CELL_COUNT_FAULT,
  rowOfCells,
  type ValidationError,
} from '@insurance-verification/schema';
import { CsvError, parse, type Parser } from 'csv-parse';
import { extendBodyTime } from '../http/body-time.ts';
import type { Outline } from '../procedure/outline.ts';
import { ProblemError, ValidationFailedError } from '../procedure/problem.ts';
import { parseJson } from './parse-json.ts';
import { askForBody } from './read-body.ts';

/** A file of rows while it comes. It is read once, as fast as its rows are stored. */
export interface SentRows {
  readonly format: 'csv' | 'ndjson';
  readonly rows: AsyncIterable<SentRow>;
}

/** A row as it came. */
export type SentRow = {
  /** From 1; blank lines and a header row do not count. */
  readonly row: number;
  /** Its bytes, or its cells as JSON: the same for the same row. */
  readonly text: string;
} & (
  | { readonly value: unknown; readonly fault: null }
  /** It is no row at all. */
  | { readonly value: undefined; readonly fault: ValidationError }
);

/** Bytes of one row. A request takes an eighth of it at most. */
const ROW_BYTES_MAX = 1_048_576;

/** The fault of a row that is too large for one request. */
export const ROW_TOO_LARGE: ValidationError = {
  loc: ['body'],
  msg: 'The row is larger than the service accepts',
  type: 'payload_too_large',
};

/**
 * Opens the file of rows of a call.
 * @throws {ValidationFailedError} for another content type; when it is read, for what is no such file from a row on.
 * @throws {ProblemError} when it is read: `payload_too_large`, `bad_request` when the client disconnects.
 */
export function openRows(req: IncomingMessage, outline: () => Outline): SentRows {
  const type = (req.headers['content-type'] ?? '').trim().toLowerCase();
  if (/^application\/x-ndjson\s*(?:;|$)/.test(type))
    return { format: 'ndjson', rows: counted(readLines(req, outline)) };
  if (/^text\/csv\s*(?:;|$)/.test(type)) return { format: 'csv', rows: counted(readRecords(req)) };
  throw new ValidationFailedError([
    {
      loc: ['header', 'content-type'],
      msg: "Content-Type should be 'application/x-ndjson' or 'text/csv'",
      type: 'content_type',
    },
  ]);
}

async function* counted(rows: AsyncIterable<Omit<SentRow, 'row'>>): AsyncGenerator<SentRow> {
  let row = 0;
  for await (const one of rows) {
    row += 1;
    if (row > BATCH_ROWS_MAX) throw tooLarge();
    yield { ...one, row } as SentRow;
  }
}

const tooLarge = () => new ProblemError('payload_too_large', { headers: { connection: 'close' } });

/** The bytes of a body. What ends early leaves the connection as it is: the answer has to go out on it. */
async function* readChunks(req: IncomingMessage): AsyncGenerator<Buffer> {
  askForBody(req);
  let byteCount = 0;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      extendBodyTime(req);
      byteCount += chunk.length;
      if (byteCount > BATCH_BYTES_MAX) throw tooLarge();
      yield chunk;
    }
  } catch (err) {
    if (err instanceof ProblemError) throw err;
    throw new ProblemError('bad_request', { headers: { connection: 'close' }, cause: err });
  }
  if (!req.complete) throw new ProblemError('bad_request', { headers: { connection: 'close' } });
}

const LINE_END = 0x0a;

async function* readLines(
  req: IncomingMessage,
  outline: () => Outline,
): AsyncGenerator<Omit<SentRow, 'row'>> {
  for await (const line of splitLines(req)) {
    if (line === null) yield { text: '', value: undefined, fault: ROW_TOO_LARGE };
    else if (/\S/.test(line.toString('latin1'))) yield await readLine(line, outline);
  }
}

/** Null for a line that is too large: its rest is not kept. */
async function* splitLines(req: IncomingMessage): AsyncGenerator<Buffer | null> {
  let start: Buffer[] = [];
  let byteCount = 0;
  const take = (end: Buffer): Buffer | null => {
    const line = byteCount + end.length > ROW_BYTES_MAX ? null : Buffer.concat([...start, end]);
    start = [];
    byteCount = 0;
    return line;
  };
  for await (const chunk of readChunks(req)) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, from)) {
      yield take(chunk.subarray(from, at));
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    byteCount += rest.length;
    if (byteCount <= ROW_BYTES_MAX) start.push(rest);
    else start = [];
  }
  yield take(Buffer.alloc(0));
}

async function readLine(line: Buffer, outline: () => Outline): Promise<Omit<SentRow, 'row'>> {
  const text = isUtf8(line) ? line.toString() : line.toString('latin1');
  try {
    return { text, value: await parseJson(line, outline), fault: null };
  } catch (err) {
    const [fault] = err instanceof ValidationFailedError ? err.detail : [];
    if (!fault) throw err;
    return { text, value: undefined, fault };
  }
}

/** The rows of a CSV file, after its header row. */
async function* readRecords(req: IncomingMessage): AsyncGenerator<Omit<SentRow, 'row'>> {
  const records = parse({ ...BATCH_CSV_OPTIONS, max_record_size: ROW_BYTES_MAX });
  // An error of the body destroys the parser with it, and so ends the loop.
  pipeline(Readable.from(decode(req)), records, () => undefined);
  let columns: readonly BatchColumn[] | null = null;
  try {
    for await (const cells of records as AsyncIterable<string[]>) {
      if (columns === null) {
        const header = batchColumnsOf(cells);
        if (header.fault) throw new ValidationFailedError([header.fault]);
        ({ columns } = header);
      } else {
        const value = rowOfCells(columns, cells);
        const text = JSON.stringify(cells);
        yield value ? { text, value, fault: null } : { text, value: undefined, fault: CELL_COUNT_FAULT };
      }
    }
  } catch (err) {
    if (err instanceof CsvError)
      throw noCsv(
        records,
        'csv_parsing',
        WHY_NO_CSV[err.code === 'CSV_MAX_RECORD_SIZE' ? 'tooLong' : 'quotes'],
      );
    if (err instanceof TypeError && 'code' in err && err.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw noCsv(records, 'csv_encoding', 'its text is not in UTF-8, there or some hundred rows later');
    throw err;
  }
}

/** A row is too long also where a quoted cell is not closed: all that follows is in it. */
const WHY_NO_CSV = {
  quotes: 'a quoted cell is not closed, or not quoted as RFC 4180 has it',
  tooLong: 'a row is larger than 1 MiB, or a quoted cell is not closed',
};

async function* decode(req: IncomingMessage): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of readChunks(req)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/**
 * The parser's count, with the header row, is the number of the row at fault: an error discards the rows of the same
 * chunk, so counted by those that were read it would be hundreds too low. What was stored stays: a mended file with the
 * same key resumes there.
 */
function noCsv({ info: { records: count } }: Parser, type: string, why: string): ValidationFailedError {
  const row = Math.max(count, 1);
  return new ValidationFailedError([
    { loc: ['body', row], msg: `The file is not CSV at row ${row}: ${why}`, type },
  ]);
}
