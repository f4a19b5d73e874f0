import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BatchRowError } from '@insurance-verification/schema';
import papaparse from 'papaparse';
import { type BatchFile, type FileRow, readRows } from './batch-file.ts';

/** What was written. */
export interface RejectedFile {
  readonly path: string;
  readonly rowCount: number;
}

/**
 * Writes the rows that have faults to a file next to the one that was sent, with their numbers and faults in front: a row
 * may have more cells than the header row. The service keeps no rejected row, so they are the sender's own, unchanged.
 * Only its owner may read it.
 * @param errors in the order of the rows.
 */
export async function writeRejected(
  file: BatchFile,
  errors: AsyncIterable<BatchRowError>,
): Promise<RejectedFile> {
  const path = `${file.path}.rejected.${file.format}`;
  let rowCount = 0;
  const lines = async function* text(): AsyncGenerator<string> {
    if (file.hasMark) yield '\uFEFF';
    for await (const { own, faults } of rejectedRows(file, errors)) {
      if (own.row > 0) rowCount += 1;
      yield file.format === 'csv' ? csvLine(own, faults) : jsonLine(own, faults);
    }
  };
  await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600 }));
  return { path, rowCount };
}

interface RejectedRow {
  readonly own: FileRow;
  readonly faults: string;
}

/** The header row of a CSV file, and each row of the file that has faults. */
async function* rejectedRows(
  file: BatchFile,
  errors: AsyncIterable<BatchRowError>,
): AsyncGenerator<RejectedRow> {
  const rejected = faultsByRow(errors);
  let next = await rejected.next();
  for await (const own of readRows(file)) {
    if (own.row === 0) yield { own, faults: '' };
    if (next.done) return;
    if (own.row !== next.value.row) continue;
    yield { own, faults: next.value.faults };
    next = await rejected.next();
  }
}

async function* faultsByRow(errors: AsyncIterable<BatchRowError>) {
  let current: { row: number; faults: string } | undefined;
  for await (const { row, loc, msg } of errors) {
    const place = loc.filter((part) => part !== 'body').join('.');
    const fault = place === '' ? msg : `${place}: ${msg}`;
    if (current?.row === row) current.faults += `; ${fault}`;
    else {
      if (current) yield current;
      current = { row, faults: fault };
    }
  }
  if (current) yield current;
}

/** A file of rows that were rejected before has these columns already: it gets new ones. */
function csvLine({ row, cells, columns, line }: FileRow, faults: string): string {
  const added = papaparse.unparse([row === 0 ? ['row', 'error'] : [row, faults]]);
  const own = columns.includes(null)
    ? papaparse.unparse([cells.filter((_, index) => columns[index] !== null)])
    : line;
  return `${added},${own}\r\n`;
}

function jsonLine({ row, line }: FileRow, error: string): string {
  return `${JSON.stringify({ row, error, ...(objectOf(line) ?? { line }) })}\n`;
}

/** Undefined where the line is no JSON object, which is its fault. */
function objectOf(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
