/** What a breaker lets through: everything, nothing, or one attempt that tests whether the other side is back. */
type Passage = 'all' | 'none' | 'probe';

/**
 * The breaker of one receiver's host, or of one payer.
 *
 * | state | event | then |
 * |---|---|---|
 * | closed | of at least 10 attempts within 5 minutes 70 % failed | open |
 * | open | 30 s have passed, or someone asks for a probe | half-open |
 * | half-open | an attempt succeeds | closed, with nothing remembered |
 * | half-open | an attempt fails | open |
 *
 * Instants are milliseconds of one monotonic clock, given by the caller.
 */
export interface Breaker {
  readonly passage: (nowMs: number) => Passage;
  /** Not closed: nothing passes but an occasional probe. */
  readonly isOpen: () => boolean;
  /** Until when nothing passes; null while it is closed. */
  readonly openUntil: () => number | null;
  readonly record: (failed: boolean, nowMs: number) => void;
  /** Lets a probe through now. */
  readonly probe: () => void;
  /** The window is empty: a new breaker would do the same. */
  readonly isFresh: (nowMs: number) => boolean;
}

const WINDOW_MS = 300_000;
const OPEN_MS = 30_000;
const ATTEMPT_COUNT_MIN = 10;
const FAILED_SHARE_MIN = 0.7;

/** Attempts are counted per span of time, not one by one: a busy host makes hundreds of thousands in a window. */
const SPAN_MS = 10_000;

interface Span {
  readonly startMs: number;
  attemptCount: number;
  failedCount: number;
}

export function createBreaker(): Breaker {
  let spans: Span[] = [];
  let openUntilMs: number | null = null;

  const spanAt = (nowMs: number): Span => {
    spans = spans.filter(({ startMs }) => startMs > nowMs - WINDOW_MS);
    const last = spans.at(-1);
    if (last && nowMs < last.startMs + SPAN_MS) return last;
    const span = { startMs: nowMs, attemptCount: 0, failedCount: 0 };
    spans.push(span);
    return span;
  };

  const recordOpen = (failed: boolean, nowMs: number, untilMs: number) => {
    if (nowMs < untilMs) return; // an attempt that began before the breaker opened says nothing new
    spans = [];
    openUntilMs = failed ? nowMs + OPEN_MS : null;
  };

  const recordClosed = (failed: boolean, nowMs: number) => {
    const span = spanAt(nowMs);
    span.attemptCount += 1;
    if (!failed) return; // a success opens nothing, and most attempts succeed
    span.failedCount += 1;
    const attemptCount = sum(spans.map((each) => each.attemptCount));
    const failedCount = sum(spans.map((each) => each.failedCount));
    if (attemptCount >= ATTEMPT_COUNT_MIN && failedCount >= FAILED_SHARE_MIN * attemptCount)
      openUntilMs = nowMs + OPEN_MS;
  };

  return {
    passage: (nowMs) => (openUntilMs === null ? 'all' : nowMs < openUntilMs ? 'none' : 'probe'),
    isOpen: () => openUntilMs !== null,
    openUntil: () => openUntilMs,
    record: (failed, nowMs) =>
      openUntilMs === null ? recordClosed(failed, nowMs) : recordOpen(failed, nowMs, openUntilMs),
    probe: () => {
      if (openUntilMs !== null) openUntilMs = Number.NEGATIVE_INFINITY;
    },
    isFresh: (nowMs) => openUntilMs === null && spans.every(({ startMs }) => startMs <= nowMs - WINDOW_MS),
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
