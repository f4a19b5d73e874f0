import type { BenchServer } from './ground/bench-server.ts';
import type { Figure } from './report/figures.ts';
import type { Settings } from './settings.ts';

/** What a part stands on while it runs. */
export interface Ground {
  readonly settings: Settings;
  /** A folder that goes with the run. */
  readonly folder: string;
  readonly server: BenchServer;
  readonly say: (line: string) => void;
}

export interface PartResult {
  /** Everything measured, for bench-results/latest.json. */
  readonly report: unknown;
  /** The rows of README that this part writes, by their key. */
  readonly figures: Readonly<Record<string, Figure>>;
}

/** One part of the bench: `pnpm bench intake` runs the one of that name. */
export interface Part {
  readonly name: string;
  readonly run: (ground: Ground) => Promise<PartResult>;
}
