import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import {
  BATCH_ROWS_MAX,
  BatchCsvReader,
  type BatchCsvRow,
  CELL_COUNT_FAULT,
  rowOfCells,
  type ValidationError,
} from '@insurance-verification/schema';
import type { Outline } from '../procedure/outline.ts';
import { ValidationFailedError } from '../procedure/problem.ts';
import { parseJson } from './parse-json.ts';
import { fileTooLarge, readUpload, type UploadWatch } from './read-upload.ts';

/** A file of rows while it comes. It is read once, as fast as its rows are stored. */
export interface SentRows {
  readonly format: 'csv' | 'ndjson';
  readonly read: (watch: UploadWatch) => AsyncIterable<SentRow>;
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

/** Bytes of a line. A request takes an eighth of it at most. */
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
 * @throws {ProblemError} when it is read, as {@link readUpload} does.
 */
export function openRows(req: IncomingMessage, outline: () => Outline): SentRows {
  const type = (req.headers['content-type'] ?? '').trim().toLowerCase();
  if (/^application\/x-ndjson\s*(?:;|$)/.test(type))
    return { format: 'ndjson', read: (watch) => counted(readLines(readUpload(req, watch), outline)) };
  if (/^text\/csv\s*(?:;|$)/.test(type))
    return { format: 'csv', read: (watch) => counted(readRecords(readUpload(req, watch))) };
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
    if (row > BATCH_ROWS_MAX) throw fileTooLarge();
    yield { ...one, row } as SentRow;
  }
}

const LINE_END = 0x0a;
const CR = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;

async function* readLines(
  parts: AsyncIterable<Buffer>,
  outline: () => Outline,
): AsyncGenerator<Omit<SentRow, 'row'>> {
  for await (const line of splitLines(parts))
    yield line === null
      ? { text: '', value: undefined, fault: ROW_TOO_LARGE }
      : await readLine(line, outline);
}

/** The lines that are not blank; null for one that is too large: its rest is not kept. */
async function* splitLines(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  let start: Buffer[] = [];
  let byteCount = 0;
  for await (const part of parts) {
    let from = byteCount === 0 ? afterBlankLines(part, 0) : 0;
    for (let at = part.indexOf(LINE_END, from); at >= 0; at = part.indexOf(LINE_END, from)) {
      const end = part.subarray(from, at);
      const line = start.length > 0 ? Buffer.concat([...start, end]) : end;
      if (byteCount + end.length > ROW_BYTES_MAX) yield null;
      else if (byteCount === 0 || !isBlank(line)) yield line;
      start = [];
      byteCount = 0;
      from = afterBlankLines(part, at + 1);
    }
    const rest = part.subarray(from);
    byteCount += rest.length;
    if (byteCount > ROW_BYTES_MAX) start = [];
    else if (rest.length > 0) start.push(rest);
  }
  if (byteCount > ROW_BYTES_MAX) yield null;
  const line = Buffer.concat(start);
  if (!isBlank(line)) yield line;
}

/** Where the first line begins that is not blank. A file can have 64 million blank ones, and none is worth a buffer. */
function afterBlankLines(part: Buffer, from: number): number {
  let lineStart = from;
  for (let at = from; at < part.length; at += 1) {
    const byte = part[at];
    if (byte === LINE_END) lineStart = at + 1;
    else if (byte !== SPACE && byte !== TAB && byte !== CR) break;
  }
  return lineStart;
}

const isBlank = (line: Buffer): boolean =>
  line.every((byte) => byte === SPACE || byte === TAB || byte === CR);

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
async function* readRecords(parts: AsyncIterable<Buffer>): AsyncGenerator<Omit<SentRow, 'row'>> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = new BatchCsvReader();
  /** Undefined at the end of the file. */
  const textOf = (part?: Buffer): string => {
    try {
      return part ? decoder.decode(part, { stream: true }) : decoder.decode();
    } catch {
      throw notUtf8(reader.rowCount + 1);
    }
  };
  for await (const part of parts) yield* rowsOf(reader, reader.push(textOf(part)));
  yield* rowsOf(reader, reader.push(textOf()));
  yield* rowsOf(reader, reader.end());
}

function* rowsOf(
  reader: BatchCsvReader,
  rows: readonly BatchCsvRow[],
): Generator<Omit<SentRow, 'row'>, void> {
  for (const { cells, text, fault } of rows) {
    const value = fault ? null : rowOfCells(reader.columns ?? [], cells);
    yield value
      ? { text: JSON.stringify(cells), value, fault: null }
      : { text, value: undefined, fault: fault ?? CELL_COUNT_FAULT };
  }
  if (reader.fault) throw new ValidationFailedError([reader.fault]);
}

const notUtf8 = (row: number) =>
  new ValidationFailedError([
    {
      loc: ['body', row],
      msg: `The file is not CSV at row ${row}: its text is not in UTF-8, there or some hundred rows later`,
      type: 'csv_encoding',
    },
  ]);
