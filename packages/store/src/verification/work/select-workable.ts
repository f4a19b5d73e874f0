import { type RawBuilder, sql } from 'kysely';
import { PAGE_BYTES_MAX } from '../../page.ts';
import type { Route } from '../route.ts';
import type { WorkableQueue } from './workable-queues.ts';

/**
 * The disjoint pools of requests: of live accounts; of test accounts, those that the sandbox has not checked or answers
 * later; of test accounts, those it passed on to verifiers.
 */
export type Pool = 'live' | 'sandbox' | 'test';

/** The condition of each pool. */
export const inPool: Readonly<Record<Pool, RawBuilder<boolean>>> = {
  live: sql`request.sandbox = false`,
  sandbox: sql`request.sandbox = true and not request.open_to_test_verifiers`,
  test: sql`request.sandbox = true and request.open_to_test_verifiers`,
};

export interface WorkableSearch {
  readonly queues: readonly WorkableQueue[];
  readonly routes: readonly Route[];
  readonly pool: Pool;
  readonly limit: number;
  /**
   * Extra rows to look at beyond the limit, since concurrent claims may be leasing the first ones; per account, an
   * eighth.
   */
  readonly spareCount: number;
}

/** Accounts visited in each half of a queue. If more have work, each claim visits a random part of them. */
const ACCOUNT_COUNT_MAX = 64;

const SMALLEST_SLOT = -2_147_483_648;
const LARGEST_SLOT = 2_147_483_647;

/**
 * The common tables of a claim, ending with `chosen`: the requests to lease, locked, in working order. Large requests
 * reduce the number, down to one: their sizes are known without reading them.
 *
 * Fair across accounts: the walk steps from account to account (a loose index scan, one probe each, so a million
 * requests of one account cost as much as one), takes each account's longest due ones, and puts the least recently
 * served account first; only then does the due time count. A plain `order by work_due_at` would serve an account with a
 * backlog for days before any other.
 */
export function selectWorkable(search: WorkableSearch): RawBuilder<unknown> {
  const { limit, spareCount } = search;
  const pivot = Math.floor(Math.random() * 2 ** 32) + SMALLEST_SLOT;
  const slot = sql`hashtext(request.account_id)`;
  const inQueue = (name: string) => sql`
    request.outcome = 'none' and ${inPool[search.pool]}
      and request.payer_id = ${sql.ref(`${name}.payer_id`)} and request.channel = ${sql.ref(`${name}.queue`)}`;
  return sql`
    ${askedQueues(search)}, segment as (
      select payer_id, queue, low, high
      from queue, (values (${pivot}::int, ${LARGEST_SLOT}::int), (${SMALLEST_SLOT}::int, ${pivot - 1}::int)) as half (low, high)
      where queue.room is null or queue.room > 0
    ), walk as (
      select segment.*, head.slot, head.account_id, 1 as depth
      from segment cross join lateral (
        select ${slot} as slot, request.account_id from request
        where ${inQueue('segment')} and ${slot} >= segment.low and ${slot} <= segment.high
        order by ${slot}, request.account_id limit 1
      ) as head
      union all
      select walk.payer_id, walk.queue, walk.low, walk.high, head.slot, head.account_id, walk.depth + 1
      from walk cross join lateral (
        select ${slot} as slot, request.account_id from request
        where ${inQueue('walk')} and (${slot}, request.account_id) > (walk.slot, walk.account_id)
          and ${slot} <= walk.high
        order by ${slot}, request.account_id limit 1
      ) as head
      where walk.depth < ${ACCOUNT_COUNT_MAX}
    ), candidate as (
      select waiting.id, waiting.payer_id, waiting.work_due_at, queue.channel, queue.seconds_max, queue.room,
        served.at as served_at,
        row_number() over (partition by waiting.account_id order by waiting.work_due_at, waiting.id) as turn
      from walk join queue on queue.payer_id = walk.payer_id and queue.queue = walk.queue
      cross join lateral (
        select request.id, request.payer_id, request.account_id, request.work_due_at from request
        where ${inQueue('walk')} and ${slot} = walk.slot and request.account_id = walk.account_id
          and request.work_due_at <= now() and (request.lease_until is null or request.lease_until <= now())
          and (request.channel <> queue.channel or request.channel_attempt_count < queue.attempt_count_max)
        order by request.work_due_at limit ${limit + Math.ceil(spareCount / 8)}
      ) as waiting
      cross join lateral (
        select max(started_at) as at from verification_attempt
        where verification_attempt.account_id = walk.account_id
      ) as served
    ), allowed as (
      select *, row_number() over (order by turn, served_at nulls first, work_due_at, id) as place,
        row_number() over (partition by payer_id order by turn, served_at nulls first, work_due_at, id) as payer_place
      from candidate
    ), ${sql.ref(limit > 1 ? 'locked' : 'chosen')} as (
      select allowed.place, allowed.channel, allowed.seconds_max, request.id, request.channel as queue,
        request.lease_until as lapsed_at, octet_length(request.input) as size
      from allowed join request on request.id = allowed.id
      where allowed.payer_place <= coalesce(allowed.room, allowed.payer_place)
        and allowed.place <= ${limit + spareCount}
        and request.outcome = 'none' and (request.lease_until is null or request.lease_until <= now())
      order by allowed.place
      limit ${limit}
      for no key update of request skip locked
    )${limit > 1 ? withinBytes : sql``}`;
}

/** Left out of a claim of one, which has nothing to cut, so its plan does not pay for it. */
const withinBytes = sql`, chosen as (
      select * from (select *, sum(size) over (order by place) - size as bytes_before from locked) as sized
      where bytes_before < ${PAGE_BYTES_MAX}
    )`;

/** The common table `queue`: the queues to take from, and how many more leases each payer allows. */
export function askedQueues({
  queues,
  routes,
  pool,
}: Pick<WorkableSearch, 'queues' | 'routes' | 'pool'>): RawBuilder<unknown> {
  const capByPayer = new Map(routes.map((route) => [route.payerId, route.inFlightCountMax]));
  return sql`queue as (
      select asked.*, asked.in_flight_count_max - (
          select count(*) from request
          where request.lease_token is not null and request.payer_id = asked.payer_id and request.lease_until > now()
            and ${inPool[pool]} and asked.in_flight_count_max is not null
        ) as room
      from unnest(
        ${queues.map(({ payerId }) => payerId)}::text[],
        ${queues.map(({ queue }) => queue)}::text[],
        ${queues.map(({ channel }) => channel.source)}::text[],
        ${queues.map(({ channel }) => channel.attemptCountMax)}::int[],
        ${queues.map(({ channel }) => channel.secondsMax)}::float8[],
        ${queues.map(({ payerId }) => capByPayer.get(payerId) ?? null)}::int[]
      ) as asked (payer_id, queue, channel, attempt_count_max, seconds_max, in_flight_count_max)
    )`;
}
