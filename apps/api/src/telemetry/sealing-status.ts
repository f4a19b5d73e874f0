import {
  type Difference,
  type LockHolder,
  measureSnapshots,
  type SealedLines,
  type Store,
} from '@insurance-verification/store';
import { Gauge, type Registry } from 'prom-client';
import { patientMeasure } from './patient-measure.ts';

/** Why nothing is sealed. */
export type SealingStop = { readonly since: Date } & (
  | ({ readonly cause: 'differs' } & Difference)
  /** The newest seal was changed. */
  | { readonly cause: 'damaged'; readonly number: number }
  /** Somebody has held a lock, or a transaction that may have written a line, for half a minute. */
  | { readonly cause: 'blocked'; readonly holders: readonly LockHolder[] }
);

/** What stops the sealing, as this process found it when it last tried. */
export interface SealingStatus {
  readonly stopped: () => SealingStop | null;
  /** Takes what came of a try. */
  readonly note: (sealed: SealedLines) => void;
}

const CAUSES = ['differs', 'damaged', 'blocked'] as const;

/** Milliseconds of waiting after which it is reported: no transaction of the service lasts as long. */
const BLOCKED_MS = { waiting: 30_000, busy: 60_000 };

export function createSealingStatus(gauge: Gauge<'cause'>): SealingStatus {
  let stopped: SealingStop | null = null;
  let waitingSince: Date | null = null;
  const show = () => {
    for (const cause of CAUSES) gauge.set({ cause }, stopped?.cause === cause ? 1 : 0);
  };
  show();

  const causeOf = (sealed: SealedLines): SealingStop | null => {
    const isWaiting = sealed.kind === 'waiting' || sealed.kind === 'busy';
    waitingSince = isWaiting ? (waitingSince ?? new Date()) : null;
    if (sealed.kind === 'differs') {
      const { fault, of, number } = sealed;
      return { cause: 'differs', fault, of, number, since: sinceOf('differs') };
    }
    if (sealed.kind === 'damaged')
      return { cause: 'damaged', number: sealed.number, since: sinceOf('damaged') };
    // Another process that seals is busy too, and each time it may be another one.
    if (!isWaiting || !waitingSince || Date.now() - waitingSince.getTime() < BLOCKED_MS[sealed.kind])
      return sealed.kind === 'busy' ? stopped : null;
    return { cause: 'blocked', holders: sealed.holders, since: waitingSince };
  };
  const sinceOf = (cause: SealingStop['cause']) => (stopped?.cause === cause ? stopped.since : new Date());

  return {
    stopped: () => stopped,
    note: (sealed) => {
      stopped = causeOf(sealed);
      show();
    },
  };
}

/** Sets the gauge of the oldest snapshot; without the database it has no value, like the database's others. */
export function createSnapshotGauge(store: Store, registry: Registry): () => Promise<void> {
  const oldest = new Gauge({
    name: 'ivs_database_oldest_snapshot_seconds',
    help: 'For how long the oldest transaction of the database, of those that the service may see, has held its snapshot.',
    labelNames: ['session'],
    registers: [registry],
  });
  const measure = patientMeasure(() => measureSnapshots(store));
  return async () => {
    const held = await measure();
    oldest.reset();
    if (held) oldest.set({ session: held.session ?? 'none' }, held.seconds);
  };
}
