import type { IncomingMessage } from 'node:http';
import type { BodyAllowance } from '../procedure/context/body-allowance.ts';
import type { Outline } from '../procedure/outline.ts';
import { ValidationFailedError } from '../procedure/problem/problem.ts';
import { discard } from './discard.ts';
import { parseJson } from './json/parse-json.ts';
import { readBytes } from './read-bytes.ts';

/** `application/json` and `application/*+json`, in any case and with any parameters. No type at all counts too. */
const JSON_TYPE = /^application\/(?:[^;\s/]+\+)?json\s*(?:;|$)/i;

/**
 * The body as JSON; undefined when there is none. Of a large one what its outline does not look at is left out.
 * @throws {ValidationFailedError} as FastAPI answers: not JSON, or of another content type.
 * @throws {ProblemError} `payload_too_large`, `unavailable`, `bad_request` when the client went away.
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

/** FastAPI's answer where a body is due and there is none, or `null`. */
export function bodyMissing(): ValidationFailedError {
  return new ValidationFailedError([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
}

/** FastAPI's answer for a body that is not an object. */
export function notAnObject(): ValidationFailedError {
  const msg = 'Input should be a valid dictionary or object to extract fields from';
  return new ValidationFailedError([{ loc: ['body'], msg, type: 'model_attributes_type' }]);
}
