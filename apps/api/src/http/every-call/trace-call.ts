import type { IncomingHttpHeaders } from 'node:http';
import type { App } from '../../procedure/context/app.ts';
import type { CallState } from '../../procedure/context/context.ts';
import type { Span } from '../../telemetry/begin-span.ts';

/** The stage of an operation, by its group; groups not listed move no request on. */
const STAGES: Readonly<Record<string, string>> = {
  requests: 'intake',
  work: 'verification',
  verificationOutput: 'output',
  heldOutputs: 'output',
  trpc: 'trpc', // a batch: its calls share one HTTP request, and each request has a step of its own
};

interface Answered extends Span {
  readonly status: number;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Traces a call that changed a request. Reads and heartbeats are left out: a client that polls, or is on the phone for
 * an hour, would fill the trace with them.
 */
export function traceCall(
  { tracing }: App,
  { operation, context }: CallState,
  { startedAt, durationMs, status, method, headers }: Answered,
): void {
  const { trace, key, requests } = context.call;
  if (!tracing || method !== 'POST') return;
  if (operation === 'work.heartbeat') return;
  const stage = operation === 'requests.redeliver' ? 'delivery' : STAGES[operation.split('.')[0] ?? ''];
  if (stage === undefined) return;
  for (const [requestId, { isFirst }] of requests) {
    tracing.step({
      requestId,
      name: isFirst ? 'intake requests.create' : `${stage} ${operation}`,
      kind: 'server',
      startedAt,
      durationMs,
      attributes: {
        'ivs.trace': trace,
        'ivs.account_id': key?.accountId ?? null,
        'ivs.key_id': key?.keyId ?? null,
        'http.request.method': method,
        'http.response.status_code': status,
      },
      failed: status >= 500,
      isFirst,
      traceparent: String(headers['traceparent'] ?? ''),
    });
  }
}
