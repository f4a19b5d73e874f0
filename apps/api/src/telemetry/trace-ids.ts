import { hash } from 'node:crypto';

/** Where the trace of a request begins. */
export interface TraceIds {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Of the step that stored the request: 16 hexadecimal digits. */
  readonly firstSpanId: string;
}

/**
 * The first 16 bytes of the SHA-256 of a request's id are its trace id, the next 8 its first span's. So every process
 * knows the trace of every request, days later too, and nothing is stored for it.
 */
export function traceIdsOf(requestId: string): TraceIds {
  const digest = hash('sha256', requestId);
  return { traceId: digest.slice(0, 32), firstSpanId: digest.slice(32, 48) };
}
