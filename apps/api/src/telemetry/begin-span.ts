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
