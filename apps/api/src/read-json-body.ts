import type { IncomingMessage } from 'node:http';
import type { ProblemCode } from '@insurance-verification/schema';
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

/** Reads to the end. Node itself sees to it that a body is as long as declared, and that it comes in time. */
function readBytes(req: IncomingMessage, bodyBytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > bodyBytesMax) refuse('payload_too_large');
    };
    const onEnd = () => {
      letGo();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length));
    };
    const onError = (cause: unknown) => refuse('bad_request', cause);
    const onClose = () => refuse('bad_request');
    const refuse = (code: ProblemCode, cause?: unknown) => {
      letGo();
      req.pause();
      reject(new ProblemError(code, { headers: { connection: 'close' }, cause }));
    };
    const letGo = () =>
      void req.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
    // A client that is gone already makes no event any more.
    if (req.destroyed) refuse('bad_request');
    else req.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
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
