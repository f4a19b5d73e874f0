import type { ReportRow, ReportSubject } from '@insurance-verification/schema';
import { type Kysely, sql } from 'kysely';
import type { FactKind } from '../../tables/fact-kind.ts';
import type { Tables } from '../../tables/tables.ts';
import { factsOfReport, type ReportRange } from './facts-within.ts';
import { type HistogramText, Tally } from './tally.ts';

/** A report of durations. */
export type TimesSubject = Extract<ReportSubject, `${string}_times`>;

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
