import type { Tally } from './report/tally.ts';

/** The resources of a running row. */
export interface Ground {
  readonly tally: Tally;
  /** How often the fault is repeated. */
  readonly rounds: number;
  /** Stops what the row started, in reverse order. */
  readonly stack: AsyncDisposableStack;
  /** Creates an empty database on the suite's own PostgreSQL. */
  readonly aDatabase: () => Promise<string>;
  /** That PostgreSQL's process, which is the suite's own on the machine; null where another runs the row. */
  readonly postmasterPid: number | null;
}

/** One row of the fault matrix. It causes the fault, and reports to the tally what did not hold. */
export interface FaultRow {
  readonly number: number;
  readonly fault: string;
  /** Rounds in the whole suite; the short form and `FAULT_ROUNDS` run fewer. */
  readonly rounds: number;
  readonly run: (ground: Ground) => Promise<void>;
}
