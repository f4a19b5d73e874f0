import type { BenchServer } from './ground/bench-server.ts';
import type { Figure } from './report/figures.ts';
import type { Settings } from './settings.ts';

/** The resources of a running part. */
export interface Ground {
  readonly settings: Settings;
  /** A folder that is removed after the run. */
  readonly folder: string;
  readonly server: BenchServer;
  readonly say: (line: string) => void;
}

export interface PartResult {
  /** All measurements, for bench-results/latest.json. */
  readonly report: unknown;
  /** README's rows that this part writes, by key. */
  readonly figures: Readonly<Record<string, Figure>>;
}

/** One part of the bench: `pnpm bench intake` runs the one named `intake`. */
export interface Part {
  readonly name: string;
  readonly run: (ground: Ground) => Promise<PartResult>;
}
