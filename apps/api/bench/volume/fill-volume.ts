import { type Caller, countFacts, type Store } from '@insurance-verification/store';
import { type Accounts, createAccounts } from './accounts.ts';
import { type Fate, makeRequests, type PlannedRequest } from './make-requests.ts';
import { multiplyGeneration } from './multiply-generation.ts';
import { takeGeneration } from './take-generation.ts';
import type { VolumeDatabase } from './volume-server.ts';

const SMALL_ACCOUNT_ROWS = 10;

/** Requests of a list's page. The large account has more in each state, in any volume: a full page is compared with one. */
export const PAGE_COUNT = 25;

/** The past that copies are spread over: about half a year. */
const PAST_STEPS = 500;

export interface VolumeSize {
  readonly requestCount: number;
  readonly accountCount: number;
  /** Requests that are made before they are copied, and after. */
  readonly generationCount: number;
}

export interface Volume {
  readonly large: Caller;
  readonly small: Caller;
  /** The first request that can be opened. */
  readonly oldestId: string;
}

/**
 * Fills a database with requests. All are made by the store's own operations, up to two generations of them. Beyond that
 * the first generation is taken out and written again and again, with ids and times of the past, before the newest one is
 * made.
 */
export async function fillVolume(
  database: VolumeDatabase,
  { requestCount, accountCount, generationCount }: VolumeSize,
): Promise<Volume> {
  const { store, client } = database;
  const accounts = await createAccounts(store, accountCount);
  const copyCount = Math.max(Math.floor(requestCount / generationCount) - 1, 0);
  if (copyCount > 0) {
    const stepsEach = Math.max(Math.floor(PAST_STEPS / copyCount), 1);
    const stepCounts = Array.from({ length: copyCount }, (_, index) => (index - copyCount) * stepsEach);
    await makeRequests(store, inShares(accounts, 0, generationCount));
    await countAll(store);
    const generation = await takeGeneration(client);
    await multiplyGeneration(database, generation, stepCounts);
  }
  const apart = [
    ...Array.from({ length: SMALL_ACCOUNT_ROWS }, (_, index) => planned(index, accounts.small)),
    ...Array.from({ length: PAGE_COUNT + 1 }, (_, index) => planned(index, accounts.large, 'exhausted')),
    // Whoever claims meets every account, however few requests there are.
    ...accounts.others.flatMap((caller, index) =>
      (['waiting', 'undelivered'] as const).map((fate) => planned(index, caller, fate)),
    ),
  ];
  const newest = await makeRequests(store, [
    ...apart,
    ...inShares(accounts, copyCount * generationCount + apart.length, requestCount),
  ]);
  await client.query('vacuum analyze');
  await countAll(store);
  await client.query('vacuum analyze hourly_fact'); // autovacuum would do it while calls are measured
  await database.settle();
  const { large, small } = accounts;
  return { large, small, oldestId: newest[0]?.request_id ?? '' };
}

/** Nothing is made for the small account. */
function inShares({ large, others }: Accounts, from: number, to: number): PlannedRequest[] {
  return Array.from({ length: Math.max(to - from, 0) }, (_, at) => {
    const index = from + at;
    return planned(index, index % 10 < 3 ? large : (others[index % others.length] ?? large));
  });
}

const planned = (index: number, caller: Caller, fate = fateOf(index)): PlannedRequest => ({
  index,
  caller,
  fate,
});

/** 11 of 100 wait, 2 are exhausted, 5 could not be verified, 1 is still to be delivered, and 81 are complete. */
function fateOf(index: number): Fate {
  const place = (index * 37 + Math.floor(index / 100) * 13) % 100; // apart from the account's share
  if (place < 11) return 'waiting';
  if (place < 13) return 'exhausted';
  if (place < 18) return 'error_verifying';
  return place < 19 ? 'undelivered' : 'delivered';
}

/** As housekeeping does: the figures of the last day come from the facts. */
async function countAll(store: Store): Promise<void> {
  for (;;) {
    const counted = await countFacts(store, { spanSeconds: 3_600, settledSeconds: 0 });
    if (counted.kind === 'counted' && counted.caughtUp) return;
  }
}
