import type { ParameterizedContext } from 'koa';
import type { CallRecord } from './create-context.ts';
import { ProblemError } from './problem.ts';
import type { RestState } from './rest.ts';
import type { Services } from './services.ts';

/** One line and one observation a call. The path is not logged: only the operation, which no caller can write. */
export function logCall(
  { log, metrics }: Services,
  koa: ParameterizedContext<RestState>,
  { caller, requestId, err }: CallRecord,
  durationMs: number,
): void {
  const { operation, call } = koa.state;
  const status = koa.res.statusCode;
  metrics.httpSeconds.observe({ operation, status }, durationMs / 1000);
  const line = {
    trace: call.trace,
    operation,
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...(caller && { account_id: caller.accountId, key_id: caller.keyId }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(err instanceof ProblemError && { problem: err.code }),
  };
  if (status < 500) log.info(line, 'answered');
  else log.error({ ...line, err: err?.cause ?? err }, 'failed');
}
