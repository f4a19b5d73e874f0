import type { TimedEvent, TimesOfGroup, TimesReport } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { LAST_WITHIN_RULE, UNTIMED } from '../bucket.ts';
import type { FactKind } from '../fact-kind.ts';
import { type QuantileRow, quantilesOf, toQuantiles } from './quantiles.ts';
import { countedUntil, factsOfReport, type ReportOptions, scopeOfReport } from './report.ts';

interface Timed {
  readonly kinds: readonly FactKind[];
  /** Those whose time counts. */
  readonly timed: FactKind | null;
  readonly group: RawBuilder<unknown>;
}

const TIMED: Readonly<Record<TimedEvent, Timed>> = {
  result: { kinds: ['completed', 'not_verified'], timed: null, group: sql`channel` },
  handling: { kinds: ['attempt_succeeded', 'attempt_failed'], timed: null, group: sql`channel` },
  payer_answer: {
    kinds: ['payer_answered', 'payer_silent'],
    timed: 'payer_answered',
    group: sql`payer_id`,
  },
  delivery: { kinds: ['delivered'], timed: null, group: sql`''` },
};

/** Null in a group where nothing was timed. */
type Quantiled = { [Field in keyof QuantileRow]: QuantileRow[Field] | null };

interface Row extends Quantiled {
  readonly at: Date;
  readonly is_total: boolean;
  readonly group: string;
  readonly count: number;
  readonly within_count: number | null;
}

/** How long something took, by step and group and over all. Counts are exact, quantiles within `QUANTILE_ERROR`. */
export async function reportTimes(
  { db }: Store,
  { of, ...options }: ReportOptions & { readonly of: TimedEvent },
): Promise<
  | ({ readonly kind: 'reported' } & Pick<TimesReport, 'counted_until' | 'totals' | 'items'>)
  | { readonly kind: 'not_found' }
> {
  const scope = await scopeOfReport(db, options);
  if (scope === undefined) return { kind: 'not_found' };
  const { kinds, timed, group } = TIMED[of];
  const isTimed = timed === null ? sql`true` : sql`kind = ${sql.lit(timed)}`;
  // The totals are summed from the steps' buckets, which are far fewer than the facts'.
  const { rows } = await sql<Row>`
    with fact as materialized (
      select facts.*, ${group} as "group" from (${factsOfReport(scope, kinds, options)}) as facts
    ), counted as (
      select at, "group", sum(count)::int as count from fact group by at, "group"
    ), bucketed as materialized (
      select at, "group", bucket, sum(n) as n, max(max_ms) as max_ms
      from fact, unnest(buckets, bucket_counts) as histogram (bucket, n)
      where ${isTimed} and bucket > ${sql.lit(UNTIMED)}
      group by at, "group", bucket
    ), every_count as (
      select * from counted union all select 'infinity', "group", sum(count)::int from counted group by "group"
    ), every_bucket as materialized (
      select * from bucketed
      union all select 'infinity', "group", bucket, sum(n), max(max_ms) from bucketed group by "group", bucket
    ), quantile as (${quantilesOf(sql`select * from every_bucket`, ['at', 'group'])}
    ), within as (
      select at, "group", sum(n)::int as within_count
      from every_bucket where bucket <= ${sql.lit(LAST_WITHIN_RULE)} group by at, "group"
    )
    select *, at = 'infinity' as is_total
    from every_count left join quantile using (at, "group") left join within using (at, "group")
    order by at, "group"`.execute(db);
  return {
    kind: 'reported',
    counted_until: await countedUntil(db),
    totals: rows.filter((row) => row.is_total).map(timesOf),
    items: rows.filter((row) => !row.is_total).map((row) => ({ at: row.at.toISOString(), ...timesOf(row) })),
  };
}

function timesOf({ group, count, within_count: withinCount, ...row }: Row): TimesOfGroup {
  const quantiles = hasTimes(row) ? toQuantiles(row) : null;
  return {
    group: group === '' ? null : group,
    count,
    within_20_seconds_count: withinCount ?? 0,
    p50_ms: quantiles && Math.round(quantiles.p50Ms),
    p90_ms: quantiles && Math.round(quantiles.p90Ms),
    p99_ms: quantiles && Math.round(quantiles.p99Ms),
    max_ms: row.max_ms === null ? null : Number(row.max_ms),
  };
}

const hasTimes = (row: Quantiled): row is QuantileRow => row.timed_count !== null;
