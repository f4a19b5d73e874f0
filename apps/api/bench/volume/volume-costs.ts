import { medianOf } from '../report/median-of.ts';
import type { VolumeOperation } from './volume-operations.ts';
import type { VolumeDatabase } from './volume-server.ts';

/**
 * Calls that are not measured: they fill the caches. Of ten million requests a claim reads 14 pages from the disk in the
 * first 200 calls, and 4 from the 800th on.
 */
const CALL_COUNT_BEFORE = 1_000;

/**
 * Rounds of an operation, and the calls of each. With five rounds a list that reads as many pages in both sizes had 1.67
 * of the small one's p99 in one run, and less than 1.5 in the run before.
 */
const ROUND_COUNT = 15;
const CALL_COUNT = 200;

/** Calls after those whose buffers are counted: one that meets a new connection reads the catalog too. */
const COUNTED_CALL_COUNT = 9;

/** Times are medians of the rounds' own: what the server does by itself now and then falls into one of them. */
export interface Cost {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The rounds' p99 by that of the first place: the median of the ratios. */
  readonly p99Ratio: number;
  readonly buffers: number;
}

/** An operation on one of the databases that are compared. */
export interface Place {
  readonly database: VolumeDatabase;
  readonly operation: VolumeOperation;
}

/** What an operation costs in each place. They take turns, call by call, so that all meet the same hour of the machine. */
export async function costsOf(places: readonly Place[]): Promise<Cost[]> {
  await timesOf(places, CALL_COUNT_BEFORE);
  const rounds: number[][][] = [];
  while (rounds.length < ROUND_COUNT) rounds.push(await timesOf(places, CALL_COUNT));
  const buffers: number[] = [];
  for (const place of places) {
    const counts: number[] = [];
    while (counts.length < COUNTED_CALL_COUNT) counts.push(await buffersOf(place));
    buffers.push(medianOf(counts));
  }
  return places.map((_, at) => {
    const quantiles = (share: number, of = at) => rounds.map((times) => quantileOf(times[of] ?? [], share));
    const firstP99s = quantiles(0.99, 0);
    return {
      p50Ms: medianOf(quantiles(0.5)),
      p99Ms: medianOf(quantiles(0.99)),
      p99Ratio: medianOf(quantiles(0.99).map((p99Ms, round) => p99Ms / (firstP99s[round] ?? NaN))),
      buffers: buffers[at] ?? NaN,
    };
  });
}

function quantileOf(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? NaN;
}

async function buffersOf({ database, operation }: Place): Promise<number> {
  await database.startCounting();
  const answer = await operation.call();
  const count = await database.touchedBuffers();
  await operation.after?.(answer);
  return count;
}

async function timesOf(places: readonly Place[], callCount: number): Promise<number[][]> {
  const times = places.map((): number[] => []);
  for (let count = 0; count < callCount; count += 1) {
    for (const [at, { operation }] of places.entries()) {
      const startedAt = performance.now();
      const answer = await operation.call();
      times[at]?.push(performance.now() - startedAt);
      await operation.after?.(answer);
    }
  }
  return times;
}
