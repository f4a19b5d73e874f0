import type { TimedEvent, TimesOfGroup, TimesReport } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import type { FactKind } from '../../tables/fact-kind.ts';
import { countedUntil, factsOfReport, type ReportOptions, scopeOfReport } from './report.ts';
import { type HistogramText, Tally } from './tally.ts';

interface Timed {
  readonly kinds: readonly FactKind[];
  /** The kind whose duration counts; null where that of each does. */
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

type Row = HistogramText & {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly group: string;
  readonly kind: FactKind;
  readonly count: number;
  readonly max_ms: string;
};

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
  const { rows } = await sql<Row>`
    select (extract(epoch from at) * 1000)::float8 as at, ${group} as "group", kind, count, max_ms,
      buckets::text as buckets, bucket_counts::text as bucket_counts
    from (${factsOfReport(scope, kinds, options)}) as fact`.execute(db);
  const totals = new Map<string, Tally>();
  const steps = new Map<number, Map<string, Tally>>();
  for (const row of rows) {
    const step = entryOf(steps, row.at, () => new Map<string, Tally>());
    for (const tally of [totals, step].map((tallies) => entryOf(tallies, row.group, () => new Tally()))) {
      tally.count += row.count;
      if (timed === null || row.kind === timed) tally.add(row, Number(row.max_ms));
    }
  }
  return {
    kind: 'reported',
    counted_until: await countedUntil(db),
    totals: timesOf(totals),
    items: [...steps]
      .toSorted(([one], [other]) => one - other)
      .flatMap(([at, tallies]) =>
        timesOf(tallies).map((times) => ({ at: new Date(at).toISOString(), ...times })),
      ),
  };
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

const timesOf = (tallies: ReadonlyMap<string, Tally>): TimesOfGroup[] =>
  [...tallies]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([group, tally]) => ({
      group: group === '' ? null : group,
      count: tally.count,
      within_20_seconds_count: tally.withinCount,
      p50_ms: tally.quantileMs(0.5),
      p90_ms: tally.quantileMs(0.9),
      p99_ms: tally.quantileMs(0.99),
      max_ms: tally.maxMs,
    }));
