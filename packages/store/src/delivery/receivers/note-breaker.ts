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
 * Writes down that a receiver is left alone, or no longer, for whoever asks when its deliveries are tried again. Only its
 * own worker acts on the breaker; where that ends, the time of the next try passes, and the row says no more.
 */
export async function noteBreaker(
  { db }: Pick<Store, 'db'>,
  { hostKey, retrySeconds }: BreakerChange,
): Promise<void> {
  const host = Buffer.from(hostKey, 'base64');
  if (retrySeconds === null)
    await sql`
      update receiver set left_alone_since = null, next_try_at = null
      where destination_host = ${host} and left_alone_since is not null`.execute(db);
  else
    await sql`
      insert into receiver (destination_host, delivery_id, last_attempt_at, left_alone_since, next_try_at)
      select destination_host, delivery_id, now(), now(), now() + make_interval(secs => ${retrySeconds})
      from delivery_queue where destination_host = ${host} limit 1
      on conflict (destination_host) do update set delivery_id = excluded.delivery_id,
        last_attempt_at = excluded.last_attempt_at,
        left_alone_since = case when ${isLeftAlone} then receiver.left_alone_since else excluded.left_alone_since end,
        next_try_at = excluded.next_try_at`.execute(db);
}

/**
 * Whether a row of `receiver` says that it is left alone now: the attempt that tests it may take a minute, and a row that
 * is older than that is of a worker that ended.
 */
export const isLeftAlone = sql<boolean>`coalesce(receiver.next_try_at > now() - interval '1 minute', false)`;

/** Of a delivery that waits beside its receiver: when it is tried next, and since when that is left alone. */
export const nextTry = (runAt: string) => sql`
  case when ${isLeftAlone} then greatest(${sql.ref(runAt)}, receiver.next_try_at) else ${sql.ref(runAt)} end as run_at,
  case when ${isLeftAlone} and ${sql.ref(runAt)} is not null then receiver.left_alone_since end as left_alone_since`;
