import { sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { destinationHostsOf } from './message.ts';
import { notifyHosts } from './redeliver.ts';

/**
 * Adds the attempts recorded in a window to the counts of their receivers. Part of the count of facts, which passes
 * each window once.
 * @param from the window's times as PostgreSQL writes them: a `Date` would lose the microseconds.
 */
export async function countReceivers(trx: Transaction<Tables>, from: string, until: string): Promise<void> {
  await sql`
    with attempt as materialized (
      select delivery.destination_host as host, delivery.id as delivery_id, account.mode, recorded_at,
        outcome = 'succeeded' as is_taken
      from delivery_attempt join delivery on delivery.id = delivery_attempt.delivery_id
        join account on account.id = delivery.account_id
      where recorded_at >= ${from}::timestamptz and recorded_at < ${until}::timestamptz
    ), noted as (
      insert into receiver (destination_host, delivery_id, last_attempt_at)
      select distinct on (host) host, delivery_id, recorded_at from attempt order by host, recorded_at desc
      on conflict (destination_host) do update set delivery_id = excluded.delivery_id,
        last_attempt_at = greatest(receiver.last_attempt_at, excluded.last_attempt_at)
    )
    insert into receiver_hour as hourly (destination_host, mode, hour, taken_count, failed_count)
    select host, mode, date_trunc('hour', recorded_at, 'UTC'), count(*) filter (where is_taken),
      count(*) filter (where not is_taken)
    from attempt group by 1, 2, 3 order by 1, 2, 3
    on conflict (destination_host, mode, hour) do update set
      taken_count = hourly.taken_count + excluded.taken_count,
      failed_count = hourly.failed_count + excluded.failed_count`.execute(trx);
}

/** The new state of a receiver's breaker. */
export interface BreakerChange {
  /** As `ClaimedDelivery.hostKey`. */
  readonly hostKey: string;
  /** Seconds until one attempt is let through; null: it is closed, and everything passes. */
  readonly retrySeconds: number | null;
}

/**
 * Records that a receiver is paused, or no longer is, so that its deliveries show when they are tried again. Only its
 * own worker acts on the breaker; when that ends, the time of the next try passes, and the row no longer applies.
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
 * older than that is of a worker that ended. One that is more than 5 s in the future dates from before the clock was set
 * back.
 */
export const isPaused = sql<boolean>`coalesce(receiver.next_try_at > now() - interval '1 minute'
  and receiver.paused_since <= now() + interval '5 seconds', false)`;

/** Of a waiting delivery, joined with its receiver: when it is tried next, and since when the receiver is paused. */
export const nextTry = (runAt: string) => sql`
  case when ${isPaused} then greatest(${sql.ref(runAt)}, receiver.next_try_at) else ${sql.ref(runAt)} end as run_at,
  case when ${isPaused} and ${sql.ref(runAt)} is not null then receiver.paused_since end as paused_since`;

/**
 * Makes the first waiting delivery of a receiver due now, whatever its breaker and its schedule say; the others
 * follow if the receiver accepts it.
 * @returns how many deliveries are tried: one for each port of the host; 0 if none waits within reach.
 */
export async function tryReceiver(
  { db, vault }: Store,
  { caller, host }: { readonly caller: Caller; readonly host: string },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ request_id: string | null; destination_host: Buffer }>`
      update delivery_queue as queued set run_at = least(queued.run_at, now()), planned_at = now()
      from unnest(${destinationHostsOf(vault, host)}::bytea[]) as asked (host)
      cross join lateral (
        select delivery_id from delivery_queue as first
        where first.destination_host = asked.host and first.leased_until is null and ${within(caller, 'first.account_id')}
        order by run_at limit 1 for update
      ) as first
      where queued.delivery_id = first.delivery_id
      returning queued.request_id, queued.destination_host`.execute(trx);
    const requestIds = rows.flatMap((row) => row.request_id ?? []);
    if (rows.length > 0)
      await notifyHosts(
        trx,
        rows.map((row) => row.destination_host),
      );
    await recordAccess(trx, { caller, operation: 'receivers.tryNow', requestIds });
    return rows.length;
  });
}
