import type { Span, Tracing } from '../telemetry/tracing.ts';

interface AppliedResult extends Span {
  readonly requestId: string;
  readonly version: number;
}

/** Traces an output that became the result, where the call that brought it belongs to another stage. */
export function traceResult(
  tracing: Tracing | undefined,
  { requestId, version, startedAt, durationMs }: AppliedResult,
): void {
  tracing?.step({
    requestId,
    name: 'output applied',
    kind: 'internal',
    startedAt,
    durationMs,
    attributes: { 'ivs.version': version },
    failed: false,
  });
}
