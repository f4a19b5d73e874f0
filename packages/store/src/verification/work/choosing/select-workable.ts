import { type RawBuilder, sql } from 'kysely';
import type { Route } from '../../route.ts';
import type { WorkableQueue } from './workable-queues.ts';

/**
 * The disjoint pools of requests: of live accounts; of test accounts, those that the sandbox has not checked or answers
 * later; of test accounts, those it passed on to verifiers.
 */
export type Pool = 'live' | 'sandbox' | 'test';

export interface WorkableSearch {
  readonly queues: readonly WorkableQueue[];
  readonly routes: readonly Route[];
  readonly pool: Pool;
  readonly limit: number;
  /** A repeated try looks at more accounts. */
  readonly isFirstTry: boolean;
  /**
   * Extra rows to look at beyond the limit, since concurrent claims may be leasing the first ones; per account, an
   * eighth.
   */
  readonly spareCount: number;
}

/** Accounts that a claim of one compares, over all its payers; then, or for several, of each queue. */
const ACCOUNT_COUNT = 8;
const ACCOUNT_COUNT_MAX = 64;

/** Accounts with something due from which on a claim of one looks at the first request of each alone. */
const ENOUGH_ACCOUNT_COUNT = 6;

const SMALLEST_SLOT = -2_147_483_648;
const LARGEST_SLOT = 2_147_483_647;

/**
 * The common tables of a claim, ending with `chosen`: the requests to try to lease, in working order.
 *
 * Fair across accounts: the walk steps from account to account in each queue, from a random one on and around (a loose
 * index scan, one probe each, so a million requests of one account cost as much as one), takes each account's longest
 * due ones, and puts the least recently served account first; only then does the due time count. A plain `order by
 * due_at` would serve an account with a backlog for days before any other. If more accounts have work than it compares,
 * each claim compares a random part of them.
 *
 * Of a payer's queues it visits the ones in which something waits: a verifier may take from up to six, and most are empty.
 * It reads `work_queue` and when each account was served, and no request: the candidates lie anywhere in the largest
 * tables. `lease_work` locks them in order up to the limit, and checks them again.
 */
export function selectWorkable(search: WorkableSearch): RawBuilder<unknown> {
  const { limit, spareCount, isFirstTry } = search;
  const pivot = Math.floor(Math.random() * (2 ** 32 - 1)) + SMALLEST_SLOT + 1;
  const payerCount = new Set(search.queues.map(({ payerId }) => payerId)).size;
  const isNarrow = limit === 1 && isFirstTry;
  const accountCount = isNarrow ? Math.ceil(ACCOUNT_COUNT / payerCount) : ACCOUNT_COUNT_MAX;
  const slot = sql`hashtext(waiting.account_id)`;
  const head = sql`${slot} as slot, waiting.account_id, waiting.request_id, waiting.due_at, waiting.attempt_count`;
  const inQueue = (name: string) => sql`
    waiting.pool = ${search.pool} and waiting.payer_id = ${sql.ref(`${name}.payer_id`)}
      and waiting.channel = ${sql.ref(`${name}.queue`)}`;
  const first = sql`order by ${slot}, waiting.account_id, waiting.due_at limit 1`;
  const isTriable = (row: string) => sql`${sql.ref(`${row}.due_at`)} <= now()
    and (queue.queue <> queue.channel or ${sql.ref(`${row}.attempt_count`)} < queue.attempt_count_max)`;
  return sql`
    ${askedQueues(search)}, present as (
      (select payer_id, channel from work_queue waiting
      where waiting.pool = ${search.pool} and waiting.payer_id >= (select min(payer_id) from queue)
      order by payer_id, channel limit 1)
      union all
      select head.*
      from present cross join lateral (
        select waiting.payer_id, waiting.channel from work_queue waiting
        where waiting.pool = ${search.pool}
          and (waiting.payer_id, waiting.channel) > (present.payer_id, present.channel)
          and waiting.payer_id <= (select max(payer_id) from queue)
        order by waiting.payer_id, waiting.channel limit 1
      ) as head
    ), walk as (
      select queue.payer_id, queue.queue, head.*, 1 as depth
      from present join queue on queue.payer_id = present.payer_id and queue.queue = present.channel
      cross join lateral (
        (select ${LARGEST_SLOT}::int as high, ${head} from work_queue waiting
        where ${inQueue('queue')} and ${slot} >= ${pivot} ${first})
        union all
        (select ${pivot}::int - 1, ${head} from work_queue waiting
        where ${inQueue('queue')} and ${slot} < ${pivot} ${first})
        limit 1
      ) as head
      where queue.room is null or queue.room > 0
      union all
      select walk.payer_id, walk.queue, head.*, walk.depth + 1
      from walk cross join lateral (
        (select walk.high, ${head} from work_queue waiting
        where ${inQueue('walk')} and (${slot}, waiting.account_id) > (walk.slot, walk.account_id)
          and ${slot} <= walk.high ${first})
        union all
        (select ${pivot}::int - 1, ${head} from work_queue waiting
        where walk.high = ${LARGEST_SLOT} and ${inQueue('walk')} and ${slot} < ${pivot} ${first})
        limit 1
      ) as head
      where walk.depth < ${accountCount}
    ), visited as (
      select walk.*, queue.channel, queue.seconds_max, queue.room, queue.attempt_count_max,
        ${isTriable('walk')} as is_triable,
        (select served_at from account_served where account_served.account_id = walk.account_id) as served_at
      from walk join queue on queue.payer_id = walk.payer_id and queue.queue = walk.queue
      where walk.due_at <= now()
    ), narrow as (
      select ${isNarrow} and count(*) filter (where is_triable) >= ${ENOUGH_ACCOUNT_COUNT} as is_enough from visited
    ), candidate as (
      select waiting.request_id as id, queue.payer_id, waiting.due_at, queue.queue, queue.channel, queue.seconds_max,
        queue.room, queue.attempt_count_max, queue.served_at,
        row_number() over (partition by queue.account_id order by waiting.due_at, waiting.request_id) as turn
      from visited as queue cross join narrow cross join lateral (
        select queue.request_id, queue.due_at where narrow.is_enough and queue.is_triable
        union all
        (select waiting.request_id, waiting.due_at from work_queue waiting
        where not narrow.is_enough and ${inQueue('queue')} and ${slot} = queue.slot
          and waiting.account_id = queue.account_id and ${isTriable('waiting')}
        order by waiting.due_at limit ${limit + Math.ceil(spareCount / 8)})
      ) as waiting
    ), allowed as (
      select *, row_number() over (order by turn, served_at nulls first, due_at, id) as place,
        row_number() over (partition by payer_id order by turn, served_at nulls first, due_at, id) as payer_place
      from candidate
    ), chosen as (
      select * from allowed
      where payer_place <= coalesce(room, payer_place) and place <= ${limit + spareCount}
    )`;
}

/** The common table `queue`: the queues to take from, and how many more leases each payer allows. */
export function askedQueues({
  queues,
  routes,
  pool,
}: Pick<WorkableSearch, 'queues' | 'routes' | 'pool'>): RawBuilder<unknown> {
  const capByPayer = new Map(routes.map((route) => [route.payerId, route.inFlightCountMax]));
  return sql`queue as (
      select asked.*, asked.in_flight_count_max - (
          select count(*) from work_queue
          where payer_id = asked.payer_id and leased_until > now() and pool = ${pool}
            and asked.in_flight_count_max is not null
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
