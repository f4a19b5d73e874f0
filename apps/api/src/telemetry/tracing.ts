/**
 * One step on the way of a request, told when it has ended. Its attributes are ids, classes and numbers: never what a
 * patient, an address or a key could be known by.
 */
export interface Step {
  readonly requestId: string;
  /** Its stage and what was done: `intake requests.create`. */
  readonly name: string;
  /** `server`: somebody called; `client`: somebody was called. */
  readonly kind: 'server' | 'client' | 'internal';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly attributes: Readonly<Record<string, string | number | null>>;
  readonly failed: boolean;
  /** The step that stored the request: every other one is its child. */
  readonly isFirst?: boolean;
  /** The caller's header `traceparent`, as it came. */
  readonly traceparent?: string | undefined;
}

/** Tells a collector what becomes of requests. A process that is given no collector has none. */
export interface Tracing {
  readonly step: (step: Step) => void;
  /** Hands over what it still has, for some seconds at most. */
  readonly stop: () => Promise<void>;
}
