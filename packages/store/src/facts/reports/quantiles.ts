import { type RawBuilder, sql } from 'kysely';
import { millisecondsOf } from '../bucket.ts';

/** A row with the buckets of its quantiles; null where nothing was timed. */
export interface QuantileRow {
  readonly timed_count: number;
  readonly p50: number;
  readonly p90: number;
  readonly max_ms: string;
}

/** Quantiles in milliseconds, within `QUANTILE_ERROR`. */
export interface Quantiles {
  readonly p50Ms: number;
  readonly p90Ms: number;
}

/**
 * The buckets that hold the quantiles of facts, by these columns.
 * @param bucketed selects the columns, `bucket`, `n` and `max_ms`, one row for each bucket.
 */
export function quantilesOf(bucketed: RawBuilder<unknown>, columns: readonly string[]): RawBuilder<unknown> {
  const by = sql.join(columns.map((column) => sql.ref(column)));
  return sql`
    select ${by}, sum(n)::int as timed_count, max(max_ms) as max_ms,
      min(bucket) filter (where upto >= total * 0.5) as p50,
      min(bucket) filter (where upto >= total * 0.9) as p90
    from (
      select bucketed.*, sum(n) over (partition by ${by} order by bucket) as upto,
        sum(n) over (partition by ${by}) as total
      from (${bucketed}) as bucketed
    ) as ranked
    group by ${by}`;
}

export function toQuantiles({ p50, p90, max_ms: maxMs }: QuantileRow): Quantiles {
  const ms = (bucket: number) => millisecondsOf(bucket, Number(maxMs));
  return { p50Ms: ms(p50), p90Ms: ms(p90) };
}
