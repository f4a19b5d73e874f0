import type { PayerResponseTimes } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { LAST_WITHIN_RULE } from '../facts/bucket.ts';
import { factsWithin, ownScope } from '../facts/reports/facts-within.ts';
import { type QuantileRow, quantilesOf, toQuantiles } from '../facts/reports/quantiles.ts';
import type { Store } from '../open-store.ts';

type Row = { payer_id: string; inquiry_count: number; within_count: number } & (
  | QuantileRow
  | { timed_count: null }
);

/**
 * Response times by payer, for inquiries sent in [`from`, `until`), including those never answered; both on the hour.
 * From the facts: counts are exact, quantiles within `QUANTILE_ERROR`.
 */
export async function measureResponseTimes(
  { db }: Store,
  { caller, from, until }: { readonly caller: Caller; readonly from: Date; readonly until: Date },
): Promise<PayerResponseTimes[]> {
  const facts = factsWithin({
    scope: ownScope(caller),
    kinds: ['payer_answered', 'payer_silent'],
    from: sql<Date>`${from}::timestamptz`,
    until: sql<Date>`${until}::timestamptz`,
  });
  const bucketed = sql`
    select payer_id, bucket, sum(n) as n, max(max_ms) as max_ms
    from fact, unnest(buckets, bucket_counts) as histogram (bucket, n)
    where kind = 'payer_answered' group by payer_id, bucket`;
  const { rows } = await sql<Row>`
    with fact as materialized (${facts}
    ), inquiry as (select payer_id, sum(count)::int as inquiry_count from fact group by payer_id
    ), within as (
      select payer_id, sum(n)::int as within_count
      from (${bucketed}) as bucketed where bucket <= ${sql.lit(LAST_WITHIN_RULE)} group by payer_id
    ), quantile as (${quantilesOf(bucketed, ['payer_id'])})
    select *, coalesce(within_count, 0) as within_count
    from inquiry left join within using (payer_id) left join quantile using (payer_id)
    order by payer_id`.execute(db);
  return rows.map(({ payer_id, inquiry_count, within_count, ...row }) => {
    const quantiles = row.timed_count === null ? null : toQuantiles(row);
    return {
      payer_id,
      inquiry_count,
      within_20_seconds_share: within_count / inquiry_count,
      p50_ms: quantiles && Math.round(quantiles.p50Ms),
      p90_ms: quantiles && Math.round(quantiles.p90Ms),
      slowest_ms: row.timed_count === null ? null : Number(row.max_ms),
    };
  });
}
