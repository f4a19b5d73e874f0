import type { IncomingMessage } from 'node:http';
import type { ProblemCode } from '@insurance-verification/schema';
import type { Outline } from './json/outline.ts';
import { parseJson } from './json/parse-json.ts';
import { ProblemError, ValidationFailedError } from './problem.ts';

/** `application/json` and `application/*+json`, in any case and with any parameters. No type at all counts too. */
const jsonType = /^application\/(?:[^;\s/]+\+)?json\s*(?:;|$)/i;

/**
 * The body as JSON; undefined when there is none. Of a large one what its outline does not look at is left out.
 * @throws {ValidationFailedError} as FastAPI answers: not JSON, or of another content type.
 * @throws {ProblemError} `payload_too_large`, `bad_request` when the client went away or its length was wrong.
 */
export async function readJsonBody(
  req: IncomingMessage,
  bodyBytesMax: number,
  outline: () => Outline,
): Promise<unknown> {
  const bytes = await readBytes(req, bodyBytesMax);
  if (bytes.length === 0) return undefined;
  const type = req.headers['content-type'];
  if (type !== undefined && type.trim() !== '' && !jsonType.test(type.trim())) throw notAnObject();
  return parseJson(bytes, outline);
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
