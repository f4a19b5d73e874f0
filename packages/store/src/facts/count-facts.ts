import { type RawBuilder, sql, type Transaction } from 'kysely';
import { countReceivers } from '../delivery/receivers.ts';
import { KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import type { Store } from '../open-store.ts';
import type { FactKind } from '../tables/facts.ts';
import type { Tables } from '../tables/tables.ts';
import { bucketOf } from './histogram.ts';

interface FactCount {
  /** The greatest span of one batch. */
  readonly spanSeconds: number;
  /**
   * How long ago an event must have been written to be counted. A transaction's start is shortly before others can
   * see it, so production leaves some seconds; a test without other writers passes 0.
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

/**
 * The total that an event counts in, by its left-joined `account`: the requests whose answer is known are in none. Their
 * account's own facts are kept, since the queue that verifiers see has them.
 */
export const totalOf: RawBuilder<string> = sql`
  case when event.account_id = ${sql.lit(KNOWN_ANSWERS_ACCOUNT_ID)} then '' else coalesce(account.mode, 'live') end`;

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
      cross join lateral (values (event.account_id), (${totalOf})) as scope (id)
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

/** A condition on the time when a row was written. */
export type Within = (time: RawBuilder<unknown>) => RawBuilder<unknown>;

/** The kinds of {@link attemptsWithin}. */
export const KINDS_OF_ATTEMPTS: readonly FactKind[] = ['attempt_succeeded', 'attempt_failed', 'completed'];

const kind = (name: FactKind) => sql`${sql.lit(name)}::text`;
const msBetween = (start: string, end: string) =>
  sql`(extract(epoch from ${sql.ref(end)} - ${sql.ref(start)}) * 1000)::bigint`;

/** Worded as its index is, so that the index is used. */
const NEEDED_AT = sql`greatest(request.needed_by, request.received_at)`;

/**
 * The attempts that are known to have verified, or not, since a time in a window: since their end, or since an operator
 * applied what they found. Without corrections, which asked no payer.
 */
const attemptsEnded = (within: Within) => sql`
    select * from verification_attempt where ${within(sql`ended_at`)} and decided_at is null and corrects is null
      and outcome in ('succeeded', 'failed')
    union all
    select * from verification_attempt where ${within(sql`decided_at`)} and decided_at is not null and corrects is null`;

/**
 * The events that were written in a window, one row each: `account_id`, `kind`, `at`, `payer_id`, `channel`,
 * `reason`, `ms`. Each source has one time that never changes and that the database's clock set when the row was
 * written, so an event is in exactly one of successive windows. `at` may be another time, when the sender's clock
 * gives the event's time. The time by which a request is needed is set in advance, but never before it is received;
 * whether it was met is known when every transaction of that time has ended, and it is counted only then. Of what was
 * withdrawn only the receipt is an event.
 */
export function eventsWithin(within: Within): RawBuilder<unknown> {
  return sql`
    select account_id::text, ${kind('received')} as kind, received_at as at, payer_id, '' as channel, '' as reason,
      null::bigint as ms
    from request where ${within(sql`received_at`)}
  union all
    select request.account_id, case when result.version > 1 then ${kind('corrected')}
        when result.outcome = 'complete' then ${kind('completed')} else ${kind('not_verified')} end,
      result.applied_at, request.payer_id, coalesce(attempt.channel, ''),
      case when result.outcome = 'complete' or result.version > 1 then '' else coalesce(attempt.error_reason, '') end,
      case when result.version = 1 then ${msBetween('request.received_at', 'result.applied_at')} end
    from result join request on request.id = result.request_id
      left join verification_attempt as attempt
        on attempt.request_id = result.request_id and attempt.result_version = result.version
    where ${within(sql`result.applied_at`)} and not result.withdrawn
  union all
    select request.account_id,
      case when first.applied_at <= request.needed_by then ${kind('met')} else ${kind('overdue')} end,
      ${NEEDED_AT}, request.payer_id, '', '', null
    from request left join result as first on first.request_id = request.id and first.version = 1
    where request.needed_by is not null and ${NEEDED_AT} <= now() and ${within(NEEDED_AT)}
      and first.withdrawn is not true
  union all
    select account_id, case outcome when 'succeeded' then ${kind('attempt_succeeded')} else ${kind('attempt_failed')} end,
      ended_at, payer_id, coalesce(channel, ''), coalesce(error_reason, ''), ${msBetween('started_at', 'ended_at')}
    from (${attemptsEnded(within)}) as ended
  union all
    select account_id, case when status_code between 200 and 299 and answer is not null
        then ${kind('payer_answered')} else ${kind('payer_silent')} end,
      started_at, payer_id, 'api', coalesce(error_reason, ''), duration_ms
    from x12_exchange where ${within(sql`recorded_at`)}
  union all
    select account_id, ${kind('further_inquiry')}, started_at, payer_id, 'api', '', null
    from x12_exchange where ${within(sql`recorded_at`)} and inquiry_number > 1
  union all
    select account_id, counted.kind, started_at, payer_id, 'api', list.name, null
    from x12_exchange
      cross join lateral (values ('dental', dental_codes), ('medical', medical_codes)) as list (name, counts)
      cross join lateral (values (${kind('code_asked')}, counts[1]), (${kind('code_answered')}, counts[2]),
        (${kind('code_refused')}, counts[3])) as counted (kind, count)
      cross join lateral generate_series(1, counted.count)
    where ${within(sql`recorded_at`)} and list.counts is not null
  union all
    select delivery.account_id, event.kind, event.at, '', '', event.reason, event.ms
    from delivery_attempt as attempt join delivery on delivery.id = attempt.delivery_id
    cross join lateral (
      select ${kind('sent')} as kind, attempt.recorded_at as at, attempt.outcome as reason, attempt.duration_ms as ms
      union all
      select ${kind('delivered')}, attempt.recorded_at, '',
        greatest(${msBetween('delivery.accepted_at', 'attempt.recorded_at')}, 0)
      where attempt.outcome = 'succeeded' and not exists (
        select from delivery_attempt as earlier
        where earlier.delivery_id = attempt.delivery_id and earlier.number < attempt.number
          and earlier.outcome = 'succeeded')
    ) as event
    where ${within(sql`attempt.recorded_at`)} and delivery.event_id is null
  union all
    select coalesce(request.account_id, ''), ${kind('held')}, held_output.received_at, coalesce(request.payer_id, ''), '',
      held_output.reason, null
    from held_output left join request on request.id = held_output.request_id
    where ${within(sql`held_output.received_at`)}
  union all
    select coalesce(request.account_id, ''), 'held_' || held_output.status, held_output.settled_at,
      coalesce(request.payer_id, ''), '', held_output.reason, ${msBetween('held_output.received_at', 'held_output.settled_at')}
    from held_output left join request on request.id = held_output.request_id
    where ${within(sql`held_output.settled_at`)}`;
}

/**
 * The events that the attempts show without the results: a verified first result ends its attempt, or writes one, in
 * its transaction. The indexes of the ends of attempts find them in a few pages, however many rows there are; the
 * results' index of times reads one line for each 32 pages of the table.
 */
export function attemptsWithin(within: Within): RawBuilder<unknown> {
  return sql`
    select attempt.account_id, event.kind, event.at, attempt.payer_id, coalesce(attempt.channel, '') as channel,
      event.reason, event.ms
    from (${attemptsEnded(within)}) as attempt cross join lateral (
      select case attempt.outcome when 'succeeded' then ${kind('attempt_succeeded')} else ${kind('attempt_failed')} end,
        attempt.ended_at, coalesce(attempt.error_reason, ''), ${msBetween('attempt.started_at', 'attempt.ended_at')}
      union all
      select ${kind('completed')}, applied.at, '', ${msBetween('request.received_at', 'applied.at')}
      from request cross join lateral (select coalesce(attempt.decided_at, attempt.ended_at) as at) as applied
      where request.id = attempt.request_id and attempt.result_version = 1 and attempt.outcome = 'succeeded'
    ) as event (kind, at, reason, ms)`;
}
