import type { IncomingMessage } from 'node:http';
import type { BodyAllowance } from '../procedure/context/call/body-allowance.ts';
import type { Outline } from '../procedure/outline.ts';
import { ValidationFailedError } from '../procedure/problem/problem.ts';
import { discard } from './discard.ts';
import { parseJson } from './json/parse-json.ts';
import { readBytes } from './read-bytes.ts';

/**
 * `application/json` and `application/*+json`, in any case and with any parameters. A missing type counts as JSON too.
 */
const JSON_TYPE = /^application\/(?:[^;\s/]+\+)?json\s*(?:;|$)/i;

/**
 * The body as JSON; undefined when it is empty. Omits from a large one what its outline ignores.
 * @throws {ValidationFailedError} as FastAPI answers: invalid JSON, or another content type.
 * @throws {ProblemError} `payload_too_large`, `unavailable`, `bad_request` when the client disconnects.
 */
export async function readJsonBody(
  req: IncomingMessage,
  allowance: BodyAllowance,
  outline: () => Outline,
): Promise<unknown> {
  const bytes = await readBytes(req, allowance);
  if (bytes.length === 0) return undefined;
  const type = req.headers['content-type'];
  if (type !== undefined && type.trim() !== '' && !JSON_TYPE.test(type.trim())) throw notAnObject();
  try {
    return await parseJson(bytes, outline);
  } finally {
    discard(bytes);
  }
}

/** FastAPI's answer where a body is required but missing or `null`. */
export function bodyMissing(): ValidationFailedError {
  return new ValidationFailedError([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
}

/** FastAPI's answer for a body that is not an object. */
export function notAnObject(): ValidationFailedError {
  const msg = 'Input should be a valid dictionary or object to extract fields from';
  return new ValidationFailedError([{ loc: ['body'], msg, type: 'model_attributes_type' }]);
}
