import type { Config } from '../config/config.ts';
import type { Log } from './log.ts';

/**
 * One step in a request's life, reported when it has ended. Its attributes are ids, classes and numbers: never anything
 * that reveals a patient, an address or a key.
 */
export interface Step {
  readonly requestId: string;
  /** Its stage and action: `intake requests.create`. */
  readonly name: string;
  /** `server`: an incoming call; `client`: an outgoing call. */
  readonly kind: 'server' | 'client' | 'internal';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly attributes: Readonly<Record<string, string | number | null>>;
  readonly failed: boolean;
  /** The step that stored the request: the parent of all others. */
  readonly isFirst?: boolean;
  /** The caller's `traceparent` header, unchanged. */
  readonly traceparent?: string | undefined;
}

/** Reports the steps of requests to a collector. Absent in a process without one. */
export interface Tracing {
  readonly step: (step: Step) => void;
  /** Exports the pending spans, for a few seconds at most. */
  readonly stop: () => Promise<void>;
}

/** When something began and how long it took. */
export interface Span {
  /** Milliseconds since 1970, read at the beginning: what it calls never starts before it. */
  readonly startedAt: number;
  /** From the monotonic clock, so that a span within another ends before it too. */
  readonly durationMs: number;
}

/** Begins a span; the answer returns it as of its call. */
export function beginSpan(): () => Span {
  const startedAt = Date.now();
  const begun = performance.now();
  return () => ({ startedAt, durationMs: performance.now() - begun });
}

/** Loads OpenTelemetry only where a collector is configured: its packages cost memory and start-up time. */
export async function loadTracing({ tracesUrl }: Config, log: Log): Promise<Tracing | undefined> {
  if (tracesUrl === undefined) return undefined;
  const { startTracing } = await import('./start-tracing.ts');
  return startTracing({ url: tracesUrl, log });
}
