import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';

/** What the breaker of a receiver has become. */
export interface BreakerChange {
  /** As `ClaimedDelivery.hostKey`. */
  readonly hostKey: string;
  /** Seconds until one attempt is let through; null: it is closed, and everything passes. */
  readonly retrySeconds: number | null;
}

/**
 * Writes down that a receiver is paused, or no longer is, so that its deliveries show when they are tried again. Only its
 * own worker acts on the breaker; when that ends, the time of the next try passes, and the row says no more.
 */
export async function noteBreaker(
  { db }: Pick<Store, 'db'>,
  { hostKey, retrySeconds }: BreakerChange,
): Promise<void> {
  const host = Buffer.from(hostKey, 'base64');
  if (retrySeconds === null)
    await sql`
      update receiver set paused_since = null, next_try_at = null
      where destination_host = ${host} and paused_since is not null`.execute(db);
  else
    await sql`
      insert into receiver (destination_host, delivery_id, last_attempt_at, paused_since, next_try_at)
      select destination_host, delivery_id, now(), now(), now() + make_interval(secs => ${retrySeconds})
      from delivery_queue where destination_host = ${host} limit 1
      on conflict (destination_host) do update set delivery_id = excluded.delivery_id,
        last_attempt_at = excluded.last_attempt_at,
        paused_since = case when ${isPaused} then receiver.paused_since else excluded.paused_since end,
        next_try_at = excluded.next_try_at`.execute(db);
}

/**
 * Whether a row of `receiver` says that it is paused now: the attempt that tests it may take a minute, and a row that is
 * older than that is of a worker that ended.
 */
export const isPaused = sql<boolean>`coalesce(receiver.next_try_at > now() - interval '1 minute', false)`;

/** Of a delivery that waits, joined with its receiver: when it is tried next, and since when the receiver is paused. */
export const nextTry = (runAt: string) => sql`
  case when ${isPaused} then greatest(${sql.ref(runAt)}, receiver.next_try_at) else ${sql.ref(runAt)} end as run_at,
  case when ${isPaused} and ${sql.ref(runAt)} is not null then receiver.paused_since end as paused_since`;
