import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { LAST_WITHIN_RULE } from '../facts/bucket.ts';
import { factsWithin } from '../facts/reports/facts-within.ts';
import { type QuantileRow, quantilesOf } from '../facts/reports/quantiles.ts';
import type { Store } from '../open-store.ts';

/** One channel of one payer in the last 24 whole hours and the current one. */
export interface ChannelDay {
  readonly payer_id: string;
  readonly channel: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly within_share: number | null;
  readonly failures: readonly { readonly error_reason: string; readonly count: number }[] | null;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly max_ms: QuantileRow['max_ms'] | null;
}

/** What the attempts of the last day came to, of live or of test accounts, from the facts. */
export async function measureDay({ db }: Store, mode: Caller['mode']): Promise<ChannelDay[]> {
  const facts = factsWithin({
    scope: mode,
    kinds: ['attempt_succeeded', 'attempt_failed', 'completed'],
    from: sql<Date>`date_trunc('hour', now() - interval '24 hours', 'UTC')`,
    until: sql<Date>`'infinity'::timestamptz`,
  });
  const bucketed = sql`
    select payer_id, channel, bucket, sum(n) as n, max(max_ms) as max_ms
    from fact, unnest(buckets, bucket_counts) as histogram (bucket, n)
    where kind = 'completed' group by payer_id, channel, bucket`;
  const { rows } = await sql<ChannelDay>`
    with fact as materialized (${facts}
    ), ended as (
      select payer_id, channel,
        coalesce(sum(count) filter (where kind = 'attempt_succeeded'), 0)::int as succeeded,
        coalesce(sum(count) filter (where kind = 'attempt_failed'), 0)::int as failed,
        sum((select sum(n) from unnest(buckets, bucket_counts) as histogram (bucket, n)
          where bucket <= ${sql.lit(LAST_WITHIN_RULE)}))::float8 / sum(count)::float8 as within_share
      from fact where kind <> 'completed' group by payer_id, channel
    ), failure as (
      select payer_id, channel,
        jsonb_agg(jsonb_build_object('error_reason', reason, 'count', count) order by count desc, reason) as failures
      from (select payer_id, channel, reason, sum(count) as count from fact
        where kind = 'attempt_failed' and reason <> '' group by payer_id, channel, reason) as counted
      group by payer_id, channel
    ), quantile as (${quantilesOf(bucketed, ['payer_id', 'channel'])})
    select *, coalesce(succeeded, 0) as succeeded, coalesce(failed, 0) as failed
    from ended full join quantile using (payer_id, channel) left join failure using (payer_id, channel)`.execute(
    db,
  );
  return rows;
}
