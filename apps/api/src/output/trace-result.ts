import type { Tracing } from '../telemetry/tracing.ts';

interface AppliedResult {
  readonly requestId: string;
  readonly version: number;
  /** When it was handed to the store, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** Traces an output that became the result, where the call that brought it belongs to another stage. */
export function traceResult(
  tracing: Tracing | undefined,
  { requestId, version, startedAt }: AppliedResult,
): void {
  tracing?.step({
    requestId,
    name: 'output applied',
    kind: 'internal',
    startedAt,
    durationMs: Date.now() - startedAt,
    attributes: { 'ivs.version': version },
    failed: false,
  });
}
