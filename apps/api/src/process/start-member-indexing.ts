import type { IndexedMembers } from '@insurance-verification/store';
import { createFailureLog } from '../telemetry/create-failure-log.ts';
import type { Log } from '../telemetry/log.ts';

export interface MemberIndexingOptions {
  /** Indexes the next batch of requests that have no number yet, below an id. */
  readonly index: (before: string | undefined) => Promise<IndexedMembers>;
  readonly log: Log;
}

/** Milliseconds from the start to the first batch, at least; jittered by as much again. */
const FIRST_MS = 10_000;

/** When all have their number, how soon those of processes of the version before are looked for. */
const PAUSE_MS = 300_000;

/** The pause after a batch, as a multiple of the time it took: a fifth of one connection's time, whatever the load. */
const PAUSES_PER_BATCH = 4;

/**
 * Gives requests of before the number that their member id is looked up by, batch after batch, behind the start. Requests
 * of this version have theirs from the beginning.
 */
export function startMemberIndexing({ index, log }: MemberIndexingOptions): { readonly stop: () => void } {
  const tellFailure = createFailureLog(log, 'indexing member ids failed; it is tried again');
  let stopped = false;
  let before: string | undefined;
  let doneCount = 0;

  const batch = async (): Promise<number> => {
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

  const round = async () => {
    const pauseMs = await batch().catch((err: unknown) => {
      if (!stopped) tellFailure(err);
      return PAUSE_MS;
    });
    if (!stopped) timer = setTimeout(() => void round(), pauseMs);
  };

  let timer = setTimeout(() => void round(), FIRST_MS * (1 + Math.random()));
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
