import { type ErasedBatch, measureErasure, type Store } from '@insurance-verification/store';
import { type Counter, Gauge, type Registry } from 'prom-client';
import { type Job, startJob } from '../queue/start-job.ts';
import type { Log } from '../telemetry/log.ts';
import { patientMeasure } from '../telemetry/patient-measure.ts';

interface ErasureOptions {
  /** Erases the next batch, of an account after the named one. */
  readonly erase: (after: string | undefined) => Promise<ErasedBatch>;
  readonly erased: Pick<Counter, 'inc'>;
  readonly log: Log;
}

const FIRST_MS = { min: 20_000, max: 40_000 };

/** When nothing is left to erase, or another process does it, how soon it is looked for again. */
const PAUSE_MS = 300_000;

/** The pause after a batch, as a multiple of the time it took: a fifth of one connection's time, whatever the load. */
const PAUSES_PER_BATCH = 4;

/** Erases the data of finished requests whose retention is over, batch after batch, from account to account. */
export function startErasure({ erase, erased, log }: ErasureOptions): Job {
  let after: string | undefined;
  let isFound = false;
  let count = 0;

  const run = async (): Promise<number> => {
    const startedAt = performance.now();
    const answer = await erase(after);
    if (answer.kind === 'erased') {
      erased.inc(answer.count);
      count += answer.count;
      isFound = true;
      after = answer.accountId;
      return (performance.now() - startedAt) * PAUSES_PER_BATCH;
    }
    after = undefined;
    // Others follow: a batch is a part of what an account has.
    const isAnotherPass = answer.kind === 'done' && isFound;
    isFound = false;
    if (isAnotherPass) return 0;
    if (count > 0) log.info({ count }, 'erased the data of requests whose retention was over');
    count = 0;
    return PAUSE_MS;
  };

  return startJob({
    run,
    firstMs: FIRST_MS,
    retryMs: { min: PAUSE_MS, max: PAUSE_MS },
    failure: 'erasing data whose retention is over failed; it is tried again',
    log,
  });
}

/** Sets the gauge of the erasure delay; like the other gauges of the database it has no value without it. */
export function createErasureGauge(store: Store, registry: Registry): () => Promise<void> {
  const behind = new Gauge({
    name: 'ivs_erasure_behind_seconds',
    help: 'How long ago the oldest request whose retention is over, and whose data is still there, was due; 0 for none.',
    registers: [registry],
  });
  const measure = patientMeasure(() => measureErasure(store));
  return async () => {
    const seconds = await measure();
    if (seconds === null) behind.remove();
    else behind.set(seconds);
  };
}
