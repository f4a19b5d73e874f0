import type { AttemptOutcome, DeliveryFact, Outcome } from '@insurance-verification/schema';
import { LEASE_SECONDS } from '../delivery/leases.ts';

/*
 * A model of how the store's statements change one request's deliveries, without a database, for the simulation of
 * 100,000 seeds. `test/delivery-model.test.ts` compares each function here with its statement on PostgreSQL, over
 * random sequences, so the simulation matches the real store.
 *
 *   accept      a new version is due, or leased at once by a worker of the process that accepts it; unfinished ones are
 *               superseded
 *   claim       a due row is leased; a lease that lapsed with its token is recorded as `worker_lost`
 *   renew       a lease that still holds is extended
 *   finish      requires the token: records the attempt, the next step, and what the request shows
 *   giveUp      requires the token: exhausted, without an attempt
 *   setAside    requires the token: unleased, but not due until the lease would have ended
 *   release     requires the token: as if never claimed
 *   redeliver   the finished delivery of the latest version is due again, with a new round
 *
 * Times are seconds of the database's clock.
 */

export interface ModelDelivery {
  readonly version: number;
  readonly status: 'pending' | 'delivered' | 'exhausted' | 'superseded';
  readonly reason: string | null;
  readonly isDone: boolean;
  readonly roundAttemptCount: number;
  readonly claimCount: number;
  readonly runAt: number;
  readonly leaseToken: string | null;
  readonly leaseUntil: number | null;
  /** First to last; its length is `attempt_count`. */
  readonly attempts: readonly AttemptOutcome[];
}

export interface ModelQueue {
  readonly outcome: Outcome;
  readonly delivery: DeliveryFact;
  readonly deliveryReason: string | null;
  /** By version, from 1. The request shows the latest. */
  readonly deliveries: readonly ModelDelivery[];
}

/** Null when the statement changed nothing: the lease was lost. */
export type ModelChange = ModelQueue | null;

export type ModelNext =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delaySeconds: number }
  | { readonly kind: 'exhausted'; readonly reason: string };

export const noDeliveries: ModelQueue = {
  outcome: 'none',
  delivery: 'none',
  deliveryReason: null,
  deliveries: [],
};

const unleased = { leaseToken: null, leaseUntil: null } as const;

export function accept(
  queue: ModelQueue,
  outcome: Outcome,
  now: number,
  firstDelaySeconds: number,
  leaseToken: string | null = null,
): ModelQueue {
  const earlier = queue.deliveries.map((row): ModelDelivery =>
    row.isDone ? row : { ...row, ...unleased, claimCount: 0, status: 'superseded', isDone: true },
  );
  const added: ModelDelivery = {
    version: earlier.length + 1,
    status: 'pending',
    reason: null,
    isDone: false,
    roundAttemptCount: 0,
    claimCount: leaseToken === null ? 0 : 1,
    runAt: now + firstDelaySeconds,
    leaseToken,
    leaseUntil: leaseToken === null ? null : now + LEASE_SECONDS,
    attempts: [],
  };
  return { outcome, delivery: 'pending', deliveryReason: null, deliveries: [...earlier, added] };
}

/** When a row may be claimed; null when it is done. */
export function dueAt(row: ModelDelivery): number | null {
  return row.isDone ? null : Math.max(row.runAt, row.leaseUntil ?? row.runAt);
}

/** The row must be due. */
export function claim(queue: ModelQueue, version: number, now: number, leaseToken: string): ModelQueue {
  return changed(queue, version, (row) => ({
    ...row,
    attempts: row.leaseToken === null ? row.attempts : [...row.attempts, 'worker_lost'],
    leaseToken,
    leaseUntil: now + LEASE_SECONDS,
    claimCount: row.claimCount + 1,
  }));
}

/** Null when the lease was lost. */
export function renew(
  queue: ModelQueue,
  version: number,
  leaseToken: string,
  now: number,
): ModelQueue | null {
  const row = held(queue, version, leaseToken);
  if (row?.leaseUntil == null || row.leaseUntil <= now) return null;
  return changed(queue, version, () => ({ ...row, leaseUntil: now + LEASE_SECONDS }));
}

/** Null when the lease was lost; then nothing of the attempt is recorded. */
export function finish(
  queue: ModelQueue,
  version: number,
  leaseToken: string,
  attempt: { readonly outcome: AttemptOutcome; readonly next: ModelNext },
  now: number,
): ModelQueue | null {
  const row = held(queue, version, leaseToken);
  if (!row) return null;
  const { outcome, next } = attempt;
  const reason = next.kind === 'exhausted' ? next.reason : null;
  const finished = changed(queue, version, () => ({
    ...row,
    ...unleased,
    status: next.kind === 'retry' ? 'pending' : next.kind,
    reason,
    isDone: next.kind !== 'retry',
    runAt: now + (next.kind === 'retry' ? next.delaySeconds : 0),
    claimCount: 0,
    roundAttemptCount: row.roundAttemptCount + 1,
    attempts: [...row.attempts, outcome],
  }));
  return next.kind === 'retry' ? finished : shown(finished, version, next.kind, reason);
}

/** Null when the lease was lost. */
export function giveUp(queue: ModelQueue, version: number, leaseToken: string): ModelQueue | null {
  const row = held(queue, version, leaseToken);
  if (!row) return null;
  const reason = 'webhook_exhausted';
  const given = changed(queue, version, () => ({
    ...row,
    ...unleased,
    claimCount: 0,
    status: 'exhausted',
    reason,
    isDone: true,
  }));
  return shown(given, version, 'exhausted', reason);
}

export function setAside(queue: ModelQueue, version: number, leaseToken: string): ModelQueue {
  const row = held(queue, version, leaseToken);
  if (!row) return queue;
  const runAt = dueAt(row) ?? row.runAt;
  return changed(queue, version, () => ({ ...row, ...unleased, runAt }));
}

export function release(queue: ModelQueue, version: number, leaseToken: string): ModelQueue {
  const row = held(queue, version, leaseToken);
  if (!row) return queue;
  const claimCount = Math.max(row.claimCount - 1, 0);
  return changed(queue, version, () => ({ ...row, ...unleased, claimCount }));
}

/** Unchanged when a round is in progress, or there is nothing to deliver. */
export function redeliver(queue: ModelQueue, now: number): ModelQueue {
  const row = queue.deliveries.at(-1);
  if (row?.status !== 'delivered' && row?.status !== 'exhausted') return queue;
  return changed(queue, row.version, () => ({
    ...row,
    status: 'pending',
    reason: null,
    isDone: false,
    runAt: now,
    roundAttemptCount: 0,
    claimCount: 0,
  }));
}

/** Requires the token: a worker that lost the lease changes nothing. */
function held(queue: ModelQueue, version: number, leaseToken: string): ModelDelivery | null {
  const row = queue.deliveries[version - 1];
  return row?.leaseToken === leaseToken ? row : null;
}

function changed(
  queue: ModelQueue,
  version: number,
  change: (row: ModelDelivery) => ModelDelivery,
): ModelQueue {
  return {
    ...queue,
    deliveries: queue.deliveries.map((row) => (row.version === version ? change(row) : row)),
  };
}

/** The request never shows the end of an older version. */
function shown(
  queue: ModelQueue,
  version: number,
  delivery: 'delivered' | 'exhausted',
  deliveryReason: string | null,
): ModelQueue {
  return version === queue.deliveries.length ? { ...queue, delivery, deliveryReason } : queue;
}
