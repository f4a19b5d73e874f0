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
