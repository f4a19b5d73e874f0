import { PROBLEMS } from '@insurance-verification/schema';
import type { App } from '../../procedure/context/app.ts';
import type { CallState } from '../../procedure/context/context.ts';
import { ProblemError, type PublicError } from '../../procedure/problem/problem.ts';

/** Writes one line and one observation per call. Logs the operation instead of the path, which any caller can write. */
export function logCall(
  { log, metrics }: App,
  { operation, context }: CallState,
  { status, durationMs }: { readonly status: number; readonly durationMs: number },
): void {
  const { trace, callerTrace, key, requestId, err } = context.call;
  metrics.httpSeconds.observe({ operation, status }, durationMs / 1000);
  const line = {
    trace,
    caller_trace: callerTrace,
    operation,
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    account_id: key?.accountId,
    key_id: key?.keyId,
    request_id: requestId,
    problem: err instanceof ProblemError ? err.code : undefined,
    client_address: isRefusal(err) ? (context.call.address ?? 'unknown') : undefined,
  };
  if (status < 500) log.info(line, 'answered');
  else log.error({ ...line, err: err?.cause ?? err }, 'failed');
}

/** Refused callers: not allowed, or asking too much. A defender looks into these, so the line has their address. */
const REFUSED: ReadonlySet<number> = new Set([401, 403, 413, 429]);

function isRefusal(err: PublicError | undefined): boolean {
  return err instanceof ProblemError && REFUSED.has(PROBLEMS[err.code].status);
}
