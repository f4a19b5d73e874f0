import { sql, type Transaction } from 'kysely';
import { countReceivers } from '../../delivery/receivers/count-receivers.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { bucketOf } from '../bucket.ts';
import { eventsWithin } from './events.ts';

export interface FactCount {
  /** The greatest span of one batch. */
  readonly spanSeconds: number;
  /**
   * How long ago an event must have been written to be counted. A transaction takes its time shortly before others can
   * see that it runs, so production leaves seconds; where nobody else writes, 0 counts everything.
   */
  readonly settledSeconds: number;
}

export type CountedFacts =
  /** `caughtUp`: the batch ended where events may still be written. */
  | {
      readonly kind: 'counted';
      readonly until: Date;
      readonly caughtUp: boolean;
      /** How many requests became overdue, by payer id: each is in one batch, of one process. */
      readonly overdue: Readonly<Record<string, number>>;
    }
  /** Another process is counting. */
  | { readonly kind: 'busy' };

/** After this long without a write a transaction only reads, as a backup does. The service's own end within a minute. */
const READER_AFTER = '5 minutes';

/**
 * Counts the next events into the hourly facts, in one transaction with the mark up to where everything is counted. So
 * a process that is killed repeats nothing and skips nothing, and of several at once one counts. An event counts in its
 * own hour, also when it is written later; never from the transaction that writes it.
 *
 * The window ends before the oldest transaction that may still write: `now()` is a transaction's start, and so is every
 * event's time of writing.
 */
export async function countFacts({ db }: Store, count: FactCount): Promise<CountedFacts> {
  return db.transaction().execute(async (trx): Promise<CountedFacts> => {
    const { rows: marks } = await sql<{ from: string }>`
      select coalesce(nullif(counted_until, '-infinity'), (${firstEventAt}))::text as from
      from fact_progress for update skip locked`.execute(trx);
    const [mark] = marks;
    if (!mark) return { kind: 'busy' };
    const { rows } = await sql<{ until: string; at: Date; caught_up: boolean }>`
      select until::text, until as at, until >= settled as caught_up
      from (
        select least(
          now() - make_interval(secs => ${count.settledSeconds}),
          (select min(xact_start) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()
              and (backend_xid is not null or xact_start > now() - ${READER_AFTER}::interval))
        ) as settled
      ) as horizon
      cross join lateral (
        select least(settled, ${mark.from}::timestamptz + make_interval(secs => ${count.spanSeconds})) as until
      ) as batch`.execute(trx);
    const [end] = rows;
    if (!end) throw new Error('The server did not say what time it is.');
    const { count: eventCount, overdue } = await addFacts(trx, mark.from, end.until);
    await countReceivers(trx, mark.from, end.until);
    await sql`
      update fact_progress set counted_until = greatest(${mark.from}::timestamptz, ${end.until}::timestamptz),
        event_count = ${eventCount}`.execute(trx);
    return { kind: 'counted', until: end.at, caughtUp: end.caught_up, overdue };
  });
}

/** A day before the first account and the first request: nothing was written earlier. */
const firstEventAt = sql`
  select coalesce(
    least((select min(created_at) from account), (select received_at from request order by id limit 1))
      - interval '1 day', now())`;

interface AddedFacts {
  readonly count: number;
  readonly overdue: Readonly<Record<string, number>>;
}

/**
 * Times are text: a `Date` would lose the microseconds, and with them events between two windows.
 * @returns how many events were counted.
 */
async function addFacts(trx: Transaction<Tables>, from: string, until: string): Promise<AddedFacts> {
  const events = eventsWithin(
    (time) => sql`${time} >= ${from}::timestamptz and ${time} < ${until}::timestamptz`,
  );
  // By the index of times, whatever the statistics say: without, a window of an hour read whole tables.
  await sql`set local enable_seqscan to off`.execute(trx);
  const { rows } = await sql<AddedFacts>`
    with event as materialized (${events}
    ), bucketed as (
      select scope.id as account_id, event.kind, date_trunc('hour', at, 'UTC') as hour, payer_id, channel, reason,
        ${bucketOf(sql`ms`)} as bucket, count(*)::int as count, sum(ms) as sum_ms, max(ms) as max_ms
      from event left join account on account.id = event.account_id
      cross join lateral (values (event.account_id), (coalesce(account.mode, 'live'))) as scope (id)
      where scope.id <> ''
      group by 1, 2, 3, 4, 5, 6, 7
    ), added as (
    insert into hourly_fact as fact
      (account_id, kind, hour, payer_id, channel, reason, count, sum_ms, max_ms, buckets, bucket_counts)
    select account_id, kind, hour, payer_id, channel, reason, sum(count), coalesce(sum(sum_ms), 0),
      coalesce(max(max_ms), 0), array_agg(bucket order by bucket) filter (where bucket is not null),
      array_agg(count order by bucket) filter (where bucket is not null)
    from bucketed
    group by account_id, kind, hour, payer_id, channel, reason
    order by account_id, kind, hour, payer_id, channel, reason
    on conflict (account_id, kind, hour, payer_id, channel, reason) do update set
      count = fact.count + excluded.count, sum_ms = fact.sum_ms + excluded.sum_ms,
      max_ms = greatest(fact.max_ms, excluded.max_ms),
      (buckets, bucket_counts) = (
        select array_agg(bucket order by bucket), array_agg(count order by bucket)
        from (
          select bucket, sum(count)::int as count
          from (
            select * from unnest(fact.buckets, fact.bucket_counts)
            union all
            select * from unnest(excluded.buckets, excluded.bucket_counts)
          ) as both_histograms (bucket, count)
          group by bucket
        ) as merged)
    )
    select count(*)::int as count, coalesce((
        select jsonb_object_agg(payer_id, count)
        from (select payer_id, count(*)::int from event where kind = 'overdue' group by payer_id) as late
      ), '{}') as overdue
    from event`.execute(trx);
  return rows[0] ?? { count: 0, overdue: {} };
}
