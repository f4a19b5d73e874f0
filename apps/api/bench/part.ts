import type { Version } from '@insurance-verification/testing/check-out';
import type { BenchServer } from './ground/bench-server.ts';
import type { Settings } from './settings.ts';

/** The resources of a running part. */
export interface Ground {
  readonly settings: Settings;
  /** A folder that is removed after the run. */
  readonly folder: string;
  readonly server: BenchServer;
  /** The versions to compare with, on databases of their own. */
  readonly before: readonly Version[];
  readonly say: (line: string) => void;
  /** Reports that a bound is missed. The run continues, and ends with an error. */
  readonly miss: (line: string) => void;
}

/** One part of the bench: `pnpm bench intake` runs the one named `intake`. It says what it measured. */
export interface Part {
  readonly name: string;
  readonly run: (ground: Ground) => Promise<unknown>;
}
