import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { findJsonFault } from './find-json-fault.ts';
import { ProblemError, ValidationFailedError } from './problem.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** `application/json` and `application/*+json`, in any case and with any parameters. No type at all counts too. */
const jsonType = /^application\/(?:[^;\s/]+\+)?json\s*(?:;|$)/i;

/**
 * The body as JSON; undefined when there is none.
 * @throws {ValidationFailedError} as FastAPI answers: not JSON, or of another content type.
 * @throws {ProblemError} `payload_too_large`, `bad_request` when the client went away or its length was wrong.
 */
export async function readJsonBody(req: IncomingMessage, bodyBytesMax: number): Promise<unknown> {
  const bytes = await readBytes(req, bodyBytesMax);
  if (bytes.length === 0) return undefined;
  const type = req.headers['content-type'];
  if (type !== undefined && type.trim() !== '' && !jsonType.test(type.trim())) throw notAnObject();
  const text = decode(bytes);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw jsonInvalid(countCharacters(text.slice(0, findJsonFault(text) ?? 0)));
  }
}

/** FastAPI's answer where a body is due and there is none, or `null`. */
export function bodyMissing(): ValidationFailedError {
  return new ValidationFailedError([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
}

/** FastAPI's answer for a body that is not an object. */
export function notAnObject(): ValidationFailedError {
  const msg = 'Input should be a valid dictionary or object to extract fields from';
  return new ValidationFailedError([{ loc: ['body'], msg, type: 'model_attributes_type' }]);
}

async function readBytes(req: IncomingMessage, bodyBytesMax: number): Promise<Buffer> {
  const declared = req.headers['content-length'];
  try {
    return await getRawBody(req, { limit: bodyBytesMax, length: declared ?? null });
  } catch (err) {
    if (err instanceof Error && 'type' in err && err.type === 'entity.too.large') {
      throw new ProblemError('payload_too_large', { headers: { connection: 'close' } });
    }
    throw new ProblemError('bad_request', { headers: { connection: 'close' }, cause: err });
  }
}

/** A leading byte order mark is dropped, as FastAPI drops it. */
function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw jsonInvalid(countCharacters(decodeValidStart(bytes)));
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

function jsonInvalid(position: number): ValidationFailedError {
  return new ValidationFailedError([
    { loc: ['body', position], msg: 'JSON decode error', type: 'json_invalid' },
  ]);
}

/** A place in characters, as Python counts them. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
