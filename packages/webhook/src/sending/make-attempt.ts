import type { Agent } from 'undici';
import { outcomeOfStatus } from './outcome-of-status.ts';
import { parseRetryAfter } from './parse-retry-after.ts';
import { readSnippet } from './read-snippet.ts';
import type { RequestTarget } from './request-target.ts';
import type { SendResult } from './send-result.ts';

/** The body after the status line only helps debugging; two seconds of it suffice, and free the row sooner. */
const BODY_TIMEOUT_MS = 2000;

/** The parts of one request. */
export interface Attempt {
  readonly target: RequestTarget;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly headersTimeoutMs: number;
  /** The total deadline and the caller's abort, in one. */
  readonly signal: AbortSignal;
}

/** One POST, never redirected, never decompressed. Rejects unless a status line and all headers arrived. */
export async function makeAttempt(agent: Agent, attempt: Attempt): Promise<Omit<SendResult, 'durationMs'>> {
  const { target, signal } = attempt;
  const { statusCode, headers, body } = await agent.request({
    origin: target.origin,
    path: target.path,
    method: 'POST',
    headers: {
      ...lowerCased(attempt.headers),
      ...(target.authorization !== null && { authorization: target.authorization }),
    },
    body: attempt.body,
    headersTimeout: attempt.headersTimeoutMs,
    bodyTimeout: 0, // it restarts with every byte; readSnippet and the signal do not
    signal,
  });
  return {
    outcome: outcomeOfStatus(statusCode),
    statusCode,
    responseSnippet: await readSnippet(body, BODY_TIMEOUT_MS),
    retryAfterSeconds: parseRetryAfter(headers['retry-after'], new Date()),
  };
}

/** Makes a header in another case replace ours instead of joining it. */
function lowerCased(headers: Attempt['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
