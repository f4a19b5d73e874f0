import { VerificationSource } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import {
  channelOf,
  hoursOf,
  isAsked,
  type Pool,
  type QueueName,
  type Route,
  type RouteChannel,
  secondsAhead,
} from '../../tables/intake.ts';
import { askedQueuesFunction, batchRoomFunction, chooseWorkFunction } from './choose-work.sql.ts';

/** The queues to take from, with the routes that cap them. */
export interface AskedQueues {
  readonly queues: readonly WorkableQueue[];
  readonly routes: readonly Route[];
  readonly pool: Pool;
}

interface WorkChoice extends AskedQueues {
  readonly limit: number;
  /** Requests of an account's batches at a payer; null for as many as their places allow. */
  readonly batchLimit: number | null;
  /** A repeated try compares more accounts. */
  readonly isFirstTry: boolean;
  /** Rows to read beyond the limit, since concurrent claims may be leasing the first ones; per account, an eighth. */
  readonly spareCount: number;
}

const SMALLEST_SLOT = -2_147_483_648;

const chooseWorkName = sql.raw(chooseWorkFunction.name);
const askedQueuesName = sql.raw(askedQueuesFunction.name);
const batchRoomName = sql.raw(batchRoomFunction.name);

/** The call of `choose_work`: requests to try to lease, in working order. */
export function chooseWork(choice: WorkChoice): RawBuilder<unknown> {
  const { limit, batchLimit, spareCount, isFirstTry } = choice;
  const pivot = Math.floor(Math.random() * (2 ** 32 - 1)) + SMALLEST_SLOT + 1;
  const isNarrow = limit === 1 && isFirstTry;
  return sql`${chooseWorkName}(${listsOf(choice)}, ${limit + spareCount}, ${limit + Math.ceil(spareCount / 8)},
    ${batchLimit}::int, ${isNarrow}, ${pivot})`;
}

/** The call of `asked_queues`. */
export function askedQueues(asked: AskedQueues): RawBuilder<unknown> {
  return sql`${askedQueuesName}(${listsOf(asked)})`;
}

/** Requests that may be leased at a payer at once; null for any number. */
const placeCount = (route: Route | undefined): number | null =>
  route?.inFlightCountMax ?? route?.inquiryCountMax ?? null;

function listsOf({ queues, routes, pool }: AskedQueues): RawBuilder<unknown> {
  const routeByPayer = new Map(routes.map((route) => [route.payerId, route]));
  const secondsOf = ({ payerId, queue, channel }: WorkableQueue) => {
    const route = routeByPayer.get(payerId);
    if (!route) return channel.secondsMax;
    return queue === 'entry' && isAsked(channel) ? null : secondsAhead(route, channel);
  };
  return sql`${queues.map(({ payerId }) => payerId)}::text[],
    ${queues.map(({ queue }) => queue)}::text[],
    ${queues.map(({ channel }) => channel.source)}::text[],
    ${queues.map(({ channel }) => channel.attemptCountMax)}::int[],
    ${queues.map(secondsOf)}::float8[],
    ${queues.map(({ payerId }) => routeByPayer.get(payerId)?.inFlightCountMax ?? null)}::int[],
    ${queues.map(({ payerId }) => placeCount(routeByPayer.get(payerId)))}::int[], ${pool}`;
}

/**
 * As `chooseWork`, for a verifier that is limited to a few accounts: it reads each of them in each queue, without the
 * walk over all accounts. Since it does not see what waits of others, a batch has a quarter of the places.
 */
export function chooseAmong(
  { limit, batchLimit, spareCount, ...asked }: WorkChoice,
  accountIds: readonly string[],
): RawBuilder<unknown> {
  const rowsMax = limit + spareCount;
  return sql`(
    with candidate as (
      select waiting.id, waiting.turn_at, waiting.batch_id, account.id as account_id, queue.payer_id, queue.queue,
        queue.channel, queue.seconds_max, queue.attempt_count_max, queue.place_count, queue.room, served.served_at,
        row_number() over (partition by account.id order by waiting.ready_at, waiting.turn_at, waiting.id) as turn
      from ${askedQueues(asked)} as queue
      cross join unnest(${accountIds}::text[]) as account (id)
      left join account_served as served on served.account_id = account.id
      cross join lateral (
        select request_id as id, ready_at, turn_at, batch_id from work_queue
        where pool = ${asked.pool} and work_queue.payer_id = queue.payer_id and work_queue.channel = queue.queue
          and hashtext(account_id) = hashtext(account.id) and account_id = account.id and ready_at <= now()
          and (queue.queue <> queue.channel or attempt_count < queue.attempt_count_max)
        order by ready_at, turn_at limit ${rowsMax}
      ) as waiting
      where queue.room is null or queue.room > 0
    ), within_batches as (
      select * from (
        select *, row_number() over (partition by payer_id, account_id, batch_id is null order by turn) as batch_place
        from candidate
      ) as numbered
      where batch_id is null or batch_place <= coalesce(
        least(${batchLimit}::int, ${batchRoomName}(payer_id, account_id, ${asked.pool}, place_count, true)), batch_place)
    ), ranked as (
      select *, row_number() over (order by turn, served_at nulls first, turn_at, id) as place,
        row_number() over (partition by payer_id order by turn, served_at nulls first, turn_at, id) as payer_place,
        count(*) over () as candidate_count
      from within_batches
    )
    select * from ranked where payer_place <= coalesce(room, payer_place) and place <= ${rowsMax}
  )`;
}

/** A queue that a claim may take from, and the channel in which it then works. */
export interface WorkableQueue {
  readonly payerId: string;
  readonly queue: QueueName;
  readonly channel: RouteChannel;
}

const queueNames: readonly QueueName[] = ['entry', ...VerificationSource.options];

/**
 * The queues that a verifier of these channels may take from:
 *
 * | the request's position                                         | may be taken                                   |
 * |----------------------------------------------------------------|------------------------------------------------|
 * | in one of the verifier's channels                              | yes, in that channel                           |
 * | in an earlier channel, if all before the verifier's are unattended and the route skips those | yes, in the verifier's |
 * | anywhere else                                                  | no                                             |
 *
 * `entry`, and a channel removed from the route, count as the route's first. By phone nothing may be taken while the
 * payer is closed.
 */
export function workableQueues(
  route: Route,
  channels: ReadonlySet<VerificationSource>,
  isAttended: (channel: VerificationSource) => boolean,
): WorkableQueue[] {
  return queueNames.flatMap((queue) => {
    const from = route.channels.indexOf(channelOf(route, queue));
    const ahead = route.channels.slice(from);
    const channel = ahead.find(({ source }) => channels.has(source));
    if (!channel || hoursOf(route, channel.source)?.openedAt(new Date()) === null) return [];
    const passedOver = ahead.slice(0, ahead.indexOf(channel));
    const isOpen =
      passedOver.length === 0 ||
      (route.skipsUnattended && passedOver.every(({ source }) => !isAttended(source)));
    return isOpen ? [{ payerId: route.payerId, queue, channel }] : [];
  });
}

/** Seconds since its last claim during which a channel counts as attended. */
export const ATTENDED_SECONDS = 600;

/** Seconds by which a record may be in the future; a later one dates from before the clock was set back. */
const CLOCK_SECONDS = 5;

/** Seconds between two records of a channel's attendance. */
const NOTE_SECONDS = 60;

export type IsAttended = (payerId: string, channel: VerificationSource) => boolean;

/** Which channels are attended. */
export async function readAttendance(store: Store, routes: readonly Route[]): Promise<IsAttended> {
  if (!routes.some((route) => route.skipsUnattended)) return () => true;
  const ageOf = await readAges(store);
  return (payerId, channel) => ageOf(payerId, channel) <= ATTENDED_SECONDS;
}

/** Records that a verifier works these channels; returns which channels are attended. */
export async function noteAttendance(
  store: Store,
  routes: readonly Route[],
  channels: ReadonlySet<VerificationSource>,
): Promise<IsAttended> {
  const skipping = routes.filter((route) => route.skipsUnattended);
  if (skipping.length === 0) return () => true;
  const ageOf = await readAges(store);
  const stale = skipping.flatMap(({ payerId, channels: ofRoute }) =>
    ofRoute
      .filter(({ source }) => channels.has(source) && ageOf(payerId, source) > NOTE_SECONDS)
      .map(({ source }) => ({ payer_id: payerId, channel: source })),
  );
  if (stale.length > 0) {
    await store.db
      .insertInto('channel_attendance')
      // In a fixed order, so that two first claims cannot deadlock.
      .values(stale.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)))
      .onConflict((conflict) =>
        conflict.columns(['payer_id', 'channel']).doUpdateSet({ claimed_at: sql`now()` }),
      )
      .execute();
  }
  return (payerId, channel) => ageOf(payerId, channel) <= ATTENDED_SECONDS;
}

/** Seconds since each channel was last claimed from; infinite if it never was, or if the clock was set back since. */
async function readAges({ db }: Store): Promise<(payerId: string, channel: VerificationSource) => number> {
  const rows = await db
    .selectFrom('channel_attendance')
    .select(['payer_id', 'channel'])
    .select(sql<number>`extract(epoch from now() - claimed_at)::float8`.as('age'))
    .execute();
  return (payerId, channel) => {
    const age = rows.find((row) => row.payer_id === payerId && row.channel === channel)?.age ?? Infinity;
    return age < -CLOCK_SECONDS ? Infinity : age;
  };
}

function placeOf({ payer_id, channel }: { payer_id: string; channel: string }): string {
  return `${payer_id}\0${channel}`;
}
