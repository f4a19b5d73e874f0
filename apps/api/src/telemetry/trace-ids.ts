import { hash } from 'node:crypto';

/** The start of a request's trace. */
export interface TraceIds {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Of the step that stored the request: 16 hexadecimal digits. */
  readonly firstSpanId: string;
}

/**
 * Takes a request's trace id from the first 16 bytes of its id's SHA-256, and its first span id from the next 8. So
 * every process knows the trace of every request, even days later, and nothing is stored for it.
 */
export function traceIdsOf(requestId: string): TraceIds {
  const digest = hash('sha256', requestId);
  return { traceId: digest.slice(0, 32), firstSpanId: digest.slice(32, 48) };
}
