import type { Tally } from './report/tally.ts';

/** What a row stands on while it runs. */
export interface Ground {
  readonly tally: Tally;
  /** How often the fault is made. */
  readonly rounds: number;
  /** Ends what the row has started, the last first. */
  readonly stack: AsyncDisposableStack;
  /** A new, empty database on the suite's own PostgreSQL. */
  readonly aDatabase: () => Promise<string>;
}

/** One row of the fault matrix. It makes the fault, and tells the tally what did not hold. */
export interface FaultRow {
  readonly number: number;
  readonly fault: string;
  /** Rounds of the whole suite; the short form and `FAULT_ROUNDS` take fewer. */
  readonly rounds: number;
  readonly run: (ground: Ground) => Promise<void>;
}
