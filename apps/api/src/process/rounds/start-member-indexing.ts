import type { IndexedMembers } from '@insurance-verification/store';
import { type Rounds, startRounds } from '../../queue/start-rounds.ts';
import type { Log } from '../../telemetry/log.ts';

export interface MemberIndexingOptions {
  /** Indexes the next batch of requests that have no number yet, below an id. */
  readonly index: (before: string | undefined) => Promise<IndexedMembers>;
  readonly log: Log;
}

const FIRST_MS = { min: 10_000, max: 20_000 };

/** When all have their number, how soon those of processes of the version before are looked for. */
const PAUSE_MS = 300_000;

/** The pause after a batch, as a multiple of the time it took: a fifth of one connection's time, whatever the load. */
const PAUSES_PER_BATCH = 4;

/**
 * Gives requests of before the number that their member id is looked up by, batch after batch, behind the start. Requests
 * of this version have theirs from the beginning.
 */
export function startMemberIndexing({ index, log }: MemberIndexingOptions): Rounds {
  let before: string | undefined;
  let doneCount = 0;

  const round = async (): Promise<number> => {
    const startedAt = performance.now();
    const indexed = await index(before);
    if (indexed.kind === 'busy') return PAUSE_MS;
    before = indexed.before ?? undefined;
    if (doneCount === 0 && indexed.count > 0)
      log.info('indexing the member ids of earlier requests; a search finds them one after the other');
    doneCount += indexed.count;
    if (before !== undefined) return (performance.now() - startedAt) * PAUSES_PER_BATCH;
    if (doneCount > 0) log.info({ count: doneCount }, 'the member ids of earlier requests are indexed');
    doneCount = 0;
    return PAUSE_MS;
  };

  return startRounds({
    round,
    firstMs: FIRST_MS,
    retryMs: { min: PAUSE_MS, max: PAUSE_MS },
    failure: 'indexing member ids failed; it is tried again',
    log,
  });
}
