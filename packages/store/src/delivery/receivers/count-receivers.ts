import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

/**
 * Adds the attempts recorded in a window to what is known of their receivers. Part of the count of facts, which passes
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
