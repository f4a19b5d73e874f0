import { findJsonFault } from './find-json-fault.ts';
import { JsonFault } from './json-scanner.ts';
import type { Outline } from './outline.ts';
import { pruneJson } from './prune-json.ts';
import { takeTurn } from './take-turn.ts';
import { ValidationFailedError } from '../problem.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Bytes up to which `JSON.parse` may make whatever a body holds: at most 3 ms and 2 MB. */
const SMALL_BYTES_MAX = 65_536;

/**
 * The value of a JSON text in UTF-8. Of a large one what the outline does not look at is left out.
 * @throws {ValidationFailedError} `json_invalid`, at the place that FastAPI names.
 */
export async function parseJson(bytes: Buffer, outline: () => Outline): Promise<unknown> {
  const text = decode(bytes);
  return bytes.length > SMALL_BYTES_MAX ? parseLarge(text, outline()) : parseSmall(text);
}

function parseSmall(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw jsonInvalid(text, findJsonFault(text) ?? 0);
  }
}

/**
 * In turns of the event loop, so that others have theirs in between: to prune a megabyte takes up to 15 ms, to parse what
 * is left 30, and to check it, which the caller does in the last turn, 35.
 */
async function parseLarge(text: string, outline: Outline): Promise<unknown> {
  const pruned = await takeTurn(() => prunedOrFault(text, outline));
  const value = await takeTurn(() => JSON.parse(pruned) as unknown);
  await takeTurn(() => undefined);
  return value;
}

function prunedOrFault(text: string, outline: Outline): string {
  try {
    return pruneJson(text, outline);
  } catch (err) {
    if (err instanceof JsonFault) throw jsonInvalid(text, err.at);
    throw err;
  }
}

/** A leading byte order mark is dropped, as FastAPI drops it. */
function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    const start = decodeValidStart(bytes);
    throw jsonInvalid(start, start.length);
  }
}

/** The longest start that is UTF-8, found by halving: this is the error's path, not the reader's. */
function decodeValidStart(bytes: Buffer): string {
  let valid = 0;
  let invalid = bytes.length;
  const startOf = (length: number) => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
    } catch {
      return null;
    }
  };
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (startOf(middle) === null) invalid = middle;
    else valid = middle;
  }
  return startOf(valid) ?? '';
}

function jsonInvalid(text: string, at: number): ValidationFailedError {
  return new ValidationFailedError([
    { loc: ['body', countCharacters(text, at)], msg: 'JSON decode error', type: 'json_invalid' },
  ]);
}

/** How many characters, as Python counts them, stand before an index of a text: a surrogate pair is one. */
function countCharacters(text: string, end: number): number {
  let count = end;
  for (let index = 1; index < end; index += 1) {
    if (isSurrogate(text, index, 0xdc00) && isSurrogate(text, index - 1, 0xd800)) count -= 1;
  }
  return count;
}

function isSurrogate(text: string, index: number, first: 0xd800 | 0xdc00): boolean {
  return (text.charCodeAt(index) & 0xfc00) === first;
}
