import { isUtf8 } from 'node:buffer';
import type { ParameterizedContext } from 'koa';
import { allowBody } from '../body/allow-body.ts';
import { discard } from '../body/discard.ts';
import { takeTurn } from '../body/json/parse-json.ts';
import { readBytes } from '../body/read-bytes.ts';
import type { CallState } from '../procedure/context/context.ts';
import { ProblemError } from '../procedure/problem/problem.ts';

/** The context of a message. */
export type McpContext = ParameterizedContext<CallState>;

/**
 * Members of all objects in a message together. The SDK walks a message many times: 85,000 members in one megabyte
 * blocked the process for 0.3 s; this many block it for 40 ms. A result of 200 coverages has fewer.
 */
const MEMBER_COUNT_MAX = 10_000;

/** Objects and arrays together: one megabyte of 349,000 empty ones took 60 ms to parse. */
const OBJECT_COUNT_MAX = 100_000;

/**
 * Reads a message as JSON; undefined when it is not JSON. The SDK does not read it, because it accepts invalid UTF-8
 * and copies the text three times.
 * @throws {ProblemError} `payload_too_large`, `unavailable`, `bad_request` when the client disconnects.
 */
export async function readMessage({ req, state }: McpContext): Promise<unknown> {
  const bytes = await readBytes(req, allowBody(state.context));
  try {
    if (hasTooManyParts(bytes)) throw new ProblemError('payload_too_large');
    return isUtf8(bytes) ? await takeTurn(() => parsed(bytes)) : undefined;
  } finally {
    discard(bytes);
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return undefined;
  }
}

/** In JSON a colon outside a string always follows a member's name. Invalid JSON is reported later. */
function hasTooManyParts(bytes: Buffer): boolean {
  let memberCount = 0;
  let objectCount = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) inText = !inText;
    else if (inText && byte === BACKSLASH) at += 1;
    else if (inText) continue;
    else if (byte === COLON) memberCount += 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) objectCount += 1;
  }
  return memberCount > MEMBER_COUNT_MAX || objectCount > OBJECT_COUNT_MAX;
}

const [QUOTE, BACKSLASH, COLON, OPEN_BRACE, OPEN_BRACKET] = [0x22, 0x5c, 0x3a, 0x7b, 0x5b];
