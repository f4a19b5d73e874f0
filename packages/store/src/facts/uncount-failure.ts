import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { totalOf } from './count-facts.ts';
import { bucketOf } from './histogram.ts';

/**
 * Subtracts a failed attempt, which its verifier takes back, from the hourly facts where it is counted already. Call it
 * before the attempt changes. While the transaction lasts nothing is counted, so that the attempt is counted before it, and
 * subtracted, or not at all. The greatest duration of the hour stays.
 */
export async function uncountFailure(
  trx: Transaction<Tables>,
  { requestId, number }: { readonly requestId: string; readonly number: number },
): Promise<void> {
  await sql`select from fact_progress for update`.execute(trx);
  const ms = sql`(extract(epoch from event.ended_at - event.started_at) * 1000)::bigint`;
  const { rows } = await sql<{
    account_id: string;
    hour: Date;
    payer_id: string;
    channel: string;
    reason: string;
  }>`
    with counted as (
      select scope.id as account_id, date_trunc('hour', event.ended_at, 'UTC') as hour, event.payer_id,
        coalesce(event.channel, '') as channel, coalesce(event.error_reason, '') as reason, ${ms} as ms,
        ${bucketOf(ms)} as bucket
      from verification_attempt as event left join account on account.id = event.account_id
      cross join lateral (values (event.account_id::text), (${totalOf})) as scope (id)
      where event.request_id = ${requestId} and event.number = ${number} and event.outcome = 'failed' and scope.id <> ''
        and event.ended_at < (select counted_until from fact_progress)
    )
    update hourly_fact as fact set count = count - 1, sum_ms = sum_ms - ms, (buckets, bucket_counts) = (
      select array_agg(one.bucket order by one.bucket), array_agg(one.n order by one.bucket)
      from (
        select timed.bucket, timed.n - (timed.bucket = counted.bucket)::int as n
        from unnest(buckets, bucket_counts) as timed (bucket, n)
      ) as one where one.n > 0)
    from counted
    where fact.account_id = counted.account_id and fact.kind = 'attempt_failed' and fact.hour = counted.hour
      and fact.payer_id = counted.payer_id and fact.channel = counted.channel and fact.reason = counted.reason
    returning fact.account_id, fact.hour, fact.payer_id, fact.channel, fact.reason`.execute(trx);
  for (const fact of rows)
    await trx
      .deleteFrom('hourly_fact')
      .where('account_id', '=', fact.account_id)
      .where('kind', '=', 'attempt_failed')
      .where('hour', '=', fact.hour)
      .where('payer_id', '=', fact.payer_id)
      .where('channel', '=', fact.channel)
      .where('reason', '=', fact.reason)
      .where('count', '=', 0)
      .execute();
}
