import { type ChannelStats, ErrorReason } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { millisecondsOf } from '../facts/bucket.ts';
import type { QueueDepth } from '../facts/depths/count-queue-depths.ts';
import { readQueueDepths } from '../facts/depths/read-queue-depths.ts';
import type { Store } from '../open-store.ts';
import { channelOf, type Route } from '../tables/route.ts';
import { type ChannelDay, measureDay } from './measure-day.ts';

/**
 * The current state of one channel of a payer's route, and its last 24 hours, for live requests or those of test
 * accounts. In the API's form, except for the payer's name, which only the configuration knows.
 */
export interface ChannelMeasure extends Omit<
  ChannelStats,
  'payer' | 'claimable_count' | 'oldest_claimable_seconds'
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
        ...standingOf(standing),
        on_call_count: calls.find(isHere)?.on_call ?? 0,
        in_portal_count: calls.find(isHere)?.in_portal ?? 0,
        ...dayOf(days.find(isHere)),
      };
    }),
  );
}

/** The channel in which a queue's requests wait; one that the route no longer has is none of its channels'. */
function queueOf(route: Route, queue: string): string {
  return queue === 'entry' ? channelOf(route, queue).source : queue;
}

/** One channel's queue now; the first of a route has two, since requests that nobody took yet wait for it. */
function standingOf(depths: readonly QueueDepth[]) {
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

/** How many verifiers are on a call or in a portal, by payer and channel. Reads those who are, by an index of just them. */
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
