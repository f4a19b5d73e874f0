import type { AttemptOutcome } from '../send-result.ts';

/** The class of an HTTP status. 410 has its own (RFC 9110, 15.5.11): the receiver wants no more messages. */
export function outcomeOfStatus(statusCode: number): AttemptOutcome {
  if (statusCode >= 200 && statusCode < 300) return 'succeeded';
  if (statusCode >= 300 && statusCode < 400) return 'redirected';
  return statusCode === 410 ? 'gone' : 'http_error';
}
