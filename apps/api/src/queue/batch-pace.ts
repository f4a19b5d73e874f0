import type { Operation } from '@insurance-verification/schema/contract';

/** How fast the rows of batches are taken. */
interface Pace {
  /** Rows that are stored at once. */
  readonly rowCount: number;
  /** Milliseconds until the next rows are stored. */
  readonly pauseMs: number;
  /** Requests of batches that one claim of this process leases, of an account at a payer; null for any number. */
  readonly claimCount: number | null;
  /** Milliseconds from such a claim to the next. */
  readonly claimMs: number;
}

/** 50 rows share a commit. They hold the event loop and a core of the database for some milliseconds. */
const FULL: Pace = { rowCount: 50, pauseMs: 0, claimCount: null, claimMs: 20 };

/** Some 700 rows a second on two cores: with more, other calls take twice as long at p99 as without a batch. */
const SHARED: Pace = { rowCount: 10, pauseMs: 10, claimCount: 2, claimMs: 50 };

/** Milliseconds after a call that writes in which others are expected. */
const EXPECTED_MS = 2_000;

/** The pace of batches in one process, which is slower while other calls write. */
export class BatchPace {
  #calledAt = Number.NEGATIVE_INFINITY;

  /** Notes a call that the rows of a batch would slow: one that writes, and is not about a batch. */
  noteCall({ method, path }: Pick<Operation, 'method' | 'path'>): void {
    if (method === 'POST' && !path.startsWith('/batches')) this.#calledAt = performance.now();
  }

  get now(): Pace {
    return performance.now() - this.#calledAt < EXPECTED_MS ? SHARED : FULL;
  }
}
