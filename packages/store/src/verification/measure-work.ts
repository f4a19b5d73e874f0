import { type ChannelStats, ErrorReason, type PayerResponseTimes } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import {
  LAST_WITHIN_RULE,
  millisecondsOf,
  type QuantileRow,
  quantilesOf,
  toQuantiles,
} from '../facts/histogram.ts';
import { type QueueDepth, readQueueDepths } from '../facts/queue-depths.ts';
import { factsWithin, ownScope } from '../facts/read-times.ts';
import type { Store } from '../open-store.ts';
import { channelOf, type Route } from '../tables/intake.ts';
import { type ChannelDay, measureDay } from './own-work.ts';

/**
 * The current state of one channel of a payer's route, and its last 24 hours, for live requests or those of test
 * accounts. In the API's form, except for the payer's name, which only the configuration knows.
 */
interface ChannelMeasure extends Omit<
  ChannelStats,
  | 'payer'
  | 'claimable_count'
  | 'oldest_claimable_seconds'
  | 'late_count'
  | 'next_needed_at'
  | 'opens_at'
  | 'time_zone'
> {
  payer_id: string;
}

/** Measures every channel of the routes, in order, for live requests or those of test accounts. */
export async function measureWork(
  store: Store,
  { routes, mode }: { readonly routes: readonly Route[]; readonly mode: Caller['mode'] },
): Promise<ChannelMeasure[]> {
  const [{ depths }, calls, days] = await Promise.all([
    readQueueDepths(store, { queue: 'work', routes, scope: mode }),
    countCalls(store, mode),
    measureDay(store, mode),
  ]);
  return routes.flatMap((route) =>
    route.channels.map(({ source: channel }) => {
      const { payerId } = route;
      const isHere = (place: { payer_id: string; channel: string }) =>
        place.payer_id === payerId && place.channel === channel;
      const standing = depths.filter(
        (depth) => depth.payer_id === payerId && queueOf(route, depth.channel) === channel,
      );
      return {
        payer_id: payerId,
        channel,
        ...stateOf(standing),
        on_call_count: calls.find(isHere)?.on_call ?? 0,
        in_portal_count: calls.find(isHere)?.in_portal ?? 0,
        ...dayOf(days.find(isHere)),
      };
    }),
  );
}

/**
 * The channel in which a queue's requests wait. A queue of a channel that the route no longer has, and `entry`, count
 * as the first.
 */
function queueOf(route: Route, queue: string): string {
  return queue === 'entry' ? channelOf(route, queue).source : queue;
}

/**
 * The current state of one channel's queue. The first channel of a route has two queues, since unclaimed requests
 * wait for it.
 */
function stateOf(depths: readonly QueueDepth[]) {
  const sum = (countOf: (depth: QueueDepth) => number) =>
    depths.reduce((total, depth) => total + countOf(depth), 0);
  const ages = depths.flatMap(({ oldest_seconds: seconds }) => seconds ?? []);
  return {
    waiting_count: sum((depth) => depth.waiting_count),
    leased_count: sum((depth) => depth.leased_count),
    overdue_count: sum((depth) => depth.overdue_count),
    oldest_seconds: ages.length > 0 ? Math.max(...ages) : null,
  };
}

/** One channel's last day. */
function dayOf(day: ChannelDay | undefined) {
  const seconds = (bucket: number | null | undefined) =>
    typeof bucket === 'number' ? millisecondsOf(bucket, Number(day?.max_ms)) / 1_000 : null;
  return {
    succeeded_count: day?.succeeded ?? 0,
    failed_count: day?.failed ?? 0,
    seconds_to_result_p50: seconds(day?.p50),
    seconds_to_result_p90: seconds(day?.p90),
    within_20_seconds_share: day?.within_share ?? null,
    failures: (day?.failures ?? []).flatMap(toFailureCount),
  };
}

/** Omits a reason removed from the registry. */
function toFailureCount({ error_reason, count }: { error_reason: string; count: number }) {
  const { data: reason } = ErrorReason.safeParse(error_reason);
  return reason === undefined ? [] : [{ error_reason: reason, count }];
}

/** Counts the verifiers on a call or in a portal, by payer and channel. Reads only those, by their own index. */
async function countCalls({ db }: Store, mode: Caller['mode']) {
  const { rows } = await sql<{ payer_id: string; channel: string; on_call: number; in_portal: number }>`
    select attempt.payer_id, attempt.channel, count(*) filter (where not in_portal)::int as on_call,
      count(*) filter (where in_portal)::int as in_portal
    from verification_attempt as attempt join account on account.id = attempt.account_id
    where attempt.on_call_until is not null and attempt.on_call_until > now() and attempt.ended_at is null
      and account.mode = ${sql.lit(mode)}
    group by attempt.payer_id, attempt.channel`.execute(db);
  return rows;
}

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
    scopes: [ownScope(caller)],
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
