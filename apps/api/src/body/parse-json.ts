import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { Outline } from '../procedure/outline.ts';
import { ValidationFailedError } from '../procedure/problem.ts';
import { JsonFault, JsonScanner } from './json-scanner.ts';
import { pruneJson } from './prune-json.ts';

/** Bytes up to which `JSON.parse` gets a body whole: it takes at most 3 ms and 2 MB. */
const SMALL_BYTES_MAX = 65_536;

/** A byte order mark. FastAPI drops a leading one. */
const MARK = Buffer.from('\uFEFF');

/**
 * Parses a JSON text in UTF-8. Omits from a large one what the outline ignores.
 * @throws {ValidationFailedError} `json_invalid`, at the position that FastAPI reports.
 */
export function parseJson(body: Buffer, outline: () => Outline): unknown {
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
 * Splits the work into turns of the event loop, so that other calls run in between: pruning a megabyte takes up to 15
 * ms, parsing the rest 30, and checking it, which the caller does in the last turn, 35. In one turn, a megabyte would hold
 * the loop for 80 ms.
 */
async function parseLarge(bytes: Buffer, outline: Outline): Promise<unknown> {
  try {
    const pruned = await takeTurn(() => prunedOrFault(bytes, outline));
    const value = await takeTurn(() => JSON.parse(pruned) as unknown);
    await takeTurn(() => undefined);
    return value;
  } finally {
    // V8 collects young objects after 16 MB of small ones, and the megabytes of a few texts pile up until then.
    void takeTurn(() => gc?.({ type: 'minor' }));
  }
}

/** The turn requested last. One per process, as there is one event loop. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Runs a step that holds the event loop for tens of milliseconds in its own turn. Otherwise sixteen megabytes that
 * arrive together would be read in one turn of half a second, while all other calls wait.
 */
export function takeTurn<T>(step: () => T): Promise<T> {
  const taken = lastTurn.then(() => setImmediate()).then(step);
  lastTurn = taken.catch(() => undefined); // the caller gets the error
  return taken;
}

function prunedOrFault(bytes: Buffer, outline: Outline): string {
  try {
    return pruneJson(bytes, outline);
  } catch (err) {
    if (err instanceof JsonFault) throw jsonInvalid(bytes, err.at);
    throw err;
  }
}

/** The byte length of the longest prefix in valid UTF-8, found by bisection: only the error path needs it. */
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
  return Buffer.byteLength(start); // excludes a final character cut in half
}

function jsonInvalid(bytes: Buffer, at: number): ValidationFailedError {
  return new ValidationFailedError([
    { loc: ['body', countCharacters(bytes, at)], msg: 'JSON decode error', type: 'json_invalid' },
  ]);
}

/** Counts the characters before a byte index as Python does: one per byte that starts a character. */
function countCharacters(bytes: Buffer, end: number): number {
  let count = 0;
  for (let index = 0; index < end; index += 1) if (((bytes[index] ?? 0) & 0xc0) !== 0x80) count += 1;
  return count;
}

/** The byte index where a UTF-8 text stops being JSON; null if it is JSON. V8's messages often give no position. */
export function findJsonFault(bytes: Buffer): number | null {
  const scanner = new JsonScanner(bytes);
  try {
    scanner.space();
    scanner.value();
    scanner.space();
  } catch (err) {
    if (err instanceof JsonFault) return err.at;
    throw err;
  }
  return scanner.at < bytes.length ? scanner.at : null;
}
