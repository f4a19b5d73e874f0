import type { ReportQuery, ReportRow, ReportSubject } from '@insurance-verification/schema';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import type { FactKind } from '../tables/facts.ts';
import type { Tables } from '../tables/tables.ts';
import { attemptsWithin, eventsWithin, KINDS_OF_ATTEMPTS, totalOf, type Within } from './count-facts.ts';
import { bucketOf, type HistogramText, Tally } from './histogram.ts';
/** A report of durations. */
type TimesSubject = Extract<ReportSubject, `${string}_times`>;

interface Timed {
  readonly kinds: readonly FactKind[];
  /** The kind whose duration counts; absent where that of each does. */
  readonly timed?: FactKind;
  /** The column by which they are grouped; absent where they are not. */
  readonly group?: 'channel' | 'payer_id';
}

const TIMED: Readonly<Record<TimesSubject, Timed>> = {
  result_times: { kinds: ['completed', 'not_verified'], group: 'channel' },
  handling_times: { kinds: ['attempt_succeeded', 'attempt_failed'], group: 'channel' },
  payer_times: { kinds: ['payer_answered', 'payer_silent'], timed: 'payer_answered', group: 'payer_id' },
  delivery_times: { kinds: ['delivered'] },
};

type Row = HistogramText & {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly group: string;
  readonly kind: FactKind;
  readonly count: number;
  readonly max_ms: string;
};

/** How long something took, over all and by step, by group. Counts are exact, quantiles within `QUANTILE_ERROR`. */
export async function readTimes(
  db: Kysely<Tables>,
  of: TimesSubject,
  scope: string,
  range: ReportRange,
): Promise<ReportRow[]> {
  const { kinds, timed, group } = TIMED[of];
  const { rows } = await sql<Row>`
    select (extract(epoch from at) * 1000)::float8 as at, ${group ? sql.ref(group) : sql`''`} as "group", kind, count,
      max_ms, buckets::text as buckets, bucket_counts::text as bucket_counts
    from (${factsOfReport(scope, kinds, range)}) as fact`.execute(db);
  const totals = new Map<string, Tally>();
  const steps = new Map<number, Map<string, Tally>>();
  for (const row of rows) {
    const step = entryOf(steps, row.at, () => new Map<string, Tally>());
    for (const tally of [totals, step].map((tallies) => entryOf(tallies, row.group, () => new Tally()))) {
      tally.count += row.count;
      if (timed === undefined || row.kind === timed) tally.add(row, Number(row.max_ms));
    }
  }
  return [
    ...rowsOf(null, totals, group),
    ...[...steps]
      .toSorted(([one], [other]) => one - other)
      .flatMap(([at, tallies]) => rowsOf(new Date(at).toISOString(), tallies, group)),
  ];
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

const rowsOf = (at: string | null, tallies: ReadonlyMap<string, Tally>, group: Timed['group']): ReportRow[] =>
  [...tallies]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, tally]) => ({
      at,
      ...(group && { [group]: name === '' ? null : name }),
      count: tally.count,
      within_20_seconds_count: tally.withinCount,
      p50_ms: tally.quantileMs(0.5),
      p90_ms: tally.quantileMs(0.9),
      p99_ms: tally.quantileMs(0.99),
      max_ms: tally.maxMs,
    }));

interface FactSelection {
  /** Ids of accounts, or `live` or `test` for all accounts of that mode. */
  readonly scopes: readonly string[];
  readonly kinds: readonly FactKind[];
  /** A whole hour. */
  readonly from: RawBuilder<Date>;
  readonly until: RawBuilder<Date>;
}

/** The time of a report. Both ends are on the hour. */
export interface ReportRange extends Pick<ReportQuery, 'step' | 'zone'> {
  readonly from: Date;
  readonly until: Date;
}

/** Whose facts a caller reads: its own account's, or those of all accounts of its mode. */
export const ownScope = ({ accountId, mode, acrossAccounts }: Caller): string =>
  acrossAccounts ? mode : accountId;

/** Facts of a report's time, with `at`, the begin of the step that each hour is in. */
export function factsOfReport(
  scope: string,
  kinds: readonly FactKind[],
  { from, until, step, zone }: ReportRange,
): RawBuilder<unknown> {
  const facts = factsWithin({
    scopes: [scope],
    kinds,
    from: sql<Date>`${from}::timestamptz`,
    until: sql<Date>`${until}::timestamptz`,
  });
  return sql`select date_trunc(${step}, hour, ${zone}) as at, facts.* from (${facts}) as facts`;
}

/** Events in a batch up to which those after it are read one by one: then there are fewer than that. */
const UNCOUNTED_MAX = 5_000;

/** While older events are still being counted, only the latest are added. */
const UNCOUNTED_AGE = '10 minutes';

/**
 * Facts: `kind`, `hour`, `payer_id`, `channel`, `reason`, `count`, `sum_ms`, `max_ms`, `buckets`, `bucket_counts`.
 * When few events happen, uncounted ones are included, one row each, so that a figure shows the last moments too.
 * Both are read in one statement, so no event is in both.
 */
export function factsWithin({ scopes, kinds, from, until }: FactSelection): RawBuilder<unknown> {
  const ofKind = sql`kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`;
  return sql`
    select kind, hour, payer_id, channel, reason, count, sum_ms, max_ms, buckets, bucket_counts
    from hourly_fact
    where account_id = any (${scopes}) and ${ofKind} and hour >= ${from} and hour < ${until}
  union all
    select event.kind, date_trunc('hour', at, 'UTC'), payer_id, channel, reason, 1, coalesce(ms, 0), coalesce(ms, 0),
      case when ms is not null then array[${bucketOf(sql`ms`)}] end, case when ms is not null then array[1] end
    from (${uncounted(kinds)}) as event left join account on account.id = event.account_id
    where event.${ofKind} and at >= ${from} and at < ${until}
      and (event.account_id = any (${scopes}) or ${totalOf} = any (${scopes}))`;
}

/** The first condition is about no row: where it does not hold, nothing is looked for. */
const isUncounted: Within = (time) => sql`
  (select event_count <= ${sql.lit(UNCOUNTED_MAX)} from fact_progress)
  and ${time} > now() - ${sql.lit(UNCOUNTED_AGE)}::interval
  and ${time} >= (select counted_until from fact_progress)`;

function uncounted(kinds: readonly FactKind[]): RawBuilder<unknown> {
  const areOfAttempts = kinds.every((kind) => KINDS_OF_ATTEMPTS.includes(kind));
  return areOfAttempts ? attemptsWithin(isUncounted) : eventsWithin(isUncounted);
}
