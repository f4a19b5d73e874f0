import { isUtf8 } from 'node:buffer';
import type { Outline } from '../../procedure/outline.ts';
import { ValidationFailedError } from '../../procedure/problem/problem.ts';
import { collectYoung } from './collect-young.ts';
import { findJsonFault } from './find-json-fault.ts';
import { JsonFault } from './json-scanner.ts';
import { pruneJson } from './prune-json.ts';
import { takeTurn } from './take-turn.ts';

/** Bytes up to which `JSON.parse` may make whatever a body holds: at most 3 ms and 2 MB. */
const SMALL_BYTES_MAX = 65_536;

/** A byte order mark. FastAPI drops one at the start. */
const MARK = Buffer.from('\uFEFF');

/**
 * The value of a JSON text in UTF-8. Of a large one what the outline does not look at is left out.
 * @throws {ValidationFailedError} `json_invalid`, at the place that FastAPI names.
 */
export async function parseJson(body: Buffer, outline: () => Outline): Promise<unknown> {
  const bytes = body.subarray(0, 3).equals(MARK) ? body.subarray(3) : body;
  if (!isUtf8(bytes)) throw jsonInvalid(bytes, validLengthOf(bytes));
  return bytes.length > SMALL_BYTES_MAX ? parseLarge(bytes, outline()) : parseSmall(bytes);
}

function parseSmall(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    throw jsonInvalid(bytes, findJsonFault(bytes) ?? 0);
  }
}

/**
 * In turns of the event loop, so that others have theirs in between: to prune a megabyte takes up to 15 ms, to parse what
 * is left 30, and to check it, which the caller does in the last turn, 35. What all that made is collected in a turn more.
 */
async function parseLarge(bytes: Buffer, outline: Outline): Promise<unknown> {
  try {
    const pruned = await takeTurn(() => prunedOrFault(bytes, outline));
    const value = await takeTurn(() => JSON.parse(pruned) as unknown);
    await takeTurn(() => undefined);
    return value;
  } finally {
    void takeTurn(collectYoung);
  }
}

function prunedOrFault(bytes: Buffer, outline: Outline): string {
  try {
    return pruneJson(bytes, outline);
  } catch (err) {
    if (err instanceof JsonFault) throw jsonInvalid(bytes, err.at);
    throw err;
  }
}

/** Bytes of the longest start that is UTF-8, found by halving: this is the error's path, not the reader's. */
function validLengthOf(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  let start = '';
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      start = decoder.decode(bytes.subarray(0, middle), { stream: true });
      valid = middle;
    } catch {
      invalid = middle;
    }
  }
  return Buffer.byteLength(start); // without a character that the start has half of
}

function jsonInvalid(bytes: Buffer, at: number): ValidationFailedError {
  return new ValidationFailedError([
    { loc: ['body', countCharacters(bytes, at)], msg: 'JSON decode error', type: 'json_invalid' },
  ]);
}

/** How many characters, as Python counts them, stand before an index of the bytes: one at each that starts one. */
function countCharacters(bytes: Buffer, end: number): number {
  let count = 0;
  for (let index = 0; index < end; index += 1) if (((bytes[index] ?? 0) & 0xc0) !== 0x80) count += 1;
  return count;
}
