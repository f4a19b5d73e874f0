import { type RawBuilder, sql } from 'kysely';
import { EVERYWHERE } from '../access/reach.ts';
import { WrongMasterKeyError } from '../encryption/check-master-keys.ts';
import { SealBrokenError } from '../encryption/seal.ts';
import { lockRequest } from '../lock-request.ts';
import type { Store } from '../open-store.ts';
import { applyFinding } from '../output/apply-finding.ts';
import { ATTENDED_SECONDS } from './attended-channels.ts';
import { endAttempt } from './end-attempt.ts';
import { moveRequest } from './move-request.ts';
import { planAfterFailure, toErrorReason } from './plan-after-failure.ts';
import { channelOf, type Route, type RouteChannel } from './route.ts';

export interface AdvancedWork {
  /** Requests that were put back, handed on or ended. */
  readonly advancedCount: number;
  /** Ids of requests that cannot be, since their sealed values do not open. They wait a day. */
  readonly unreadableIds: readonly string[];
}

/** Rows looked at in one go; more are found by the next. */
const LIMIT = 100;

/** Of them those of one account that entered and were not claimed: one with many must not keep the others waiting. */
const ACCOUNT_LIMIT = 10;

/**
 * What time does by itself: ends the attempts whose lease lapsed and puts their requests back, hands on requests whose
 * channel has had its attempts or its time, and ends those that have been through their whole route. Any process may
 * call it at any time; a request that another one is changing is left to it.
 */
export async function advanceWork(store: Store, routes: readonly Route[]): Promise<AdvancedWork> {
  const ids = await findOverdue(store, routes);
  const unreadableIds: string[] = [];
  let advancedCount = 0;
  for (const id of ids) {
    try {
      if (await advance(store, routes, id)) advancedCount += 1;
    } catch (err) {
      if (!(err instanceof SealBrokenError || err instanceof WrongMasterKeyError)) throw err;
      await putOff(store, id);
      unreadableIds.push(id);
    }
  }
  return { advancedCount, unreadableIds };
}

async function findOverdue({ db }: Store, routes: readonly Route[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    (select id from request where lease_token is not null and lease_until <= now() limit ${LIMIT})
    union all
    (select id from request where outcome = 'none' and channel_until <= now() and lease_token is null limit ${LIMIT})
    union all
    (${selectUnclaimed(routes)} limit ${LIMIT})`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Requests that no one has claimed since they entered, for longer than the first channel of their route allows. The
 * walk is one probe an account, whatever the number of requests; of an account with some, the longest due are taken.
 */
function selectUnclaimed(routes: readonly Route[]): RawBuilder<unknown> {
  const slot = sql`hashtext(request.account_id)`;
  const entry = (table: string) => sql`
    request.outcome = 'none' and not request.sandbox and request.channel = 'entry'
      and request.payer_id = ${sql.ref(`${table}.payer_id`)}`;
  return sql`
    select overdue.id from (
      with recursive route as (
        select * from unnest(
          ${routes.map(({ payerId }) => payerId)}::text[],
          ${routes.map((route) => channelOf(route, 'entry').secondsMax)}::float8[]
        ) as route (payer_id, seconds_max)
      ), walk as (
        select route.*, head.* from route cross join lateral (
          select ${slot} as slot, request.account_id, request.work_due_at from request
          where ${entry('route')}
          order by ${slot}, request.account_id, request.work_due_at limit 1
        ) as head
        union all
        select walk.payer_id, walk.seconds_max, head.* from walk cross join lateral (
          select ${slot} as slot, request.account_id, request.work_due_at from request
          where ${entry('walk')} and (${slot}, request.account_id) > (walk.slot, walk.account_id)
          order by ${slot}, request.account_id, request.work_due_at limit 1
        ) as head
      )
      select *, now() - make_interval(secs => seconds_max) as due_before from walk
    ) as walk cross join lateral (
      select request.id from request
      where ${entry('walk')} and ${slot} = walk.slot and request.account_id = walk.account_id
        and request.work_due_at <= walk.due_before
      order by request.work_due_at limit ${ACCOUNT_LIMIT}
    ) as overdue
    where walk.work_due_at <= walk.due_before`;
}

async function advance(store: Store, routes: readonly Route[], requestId: string): Promise<boolean> {
  return store.db.transaction().execute(async (trx) => {
    const free =
      await sql`select 1 from request where id = ${requestId} for no key update skip locked`.execute(trx);
    const request = free.rows.length > 0 ? await lockRequest(trx, requestId, EVERYWHERE) : null;
    if (!request || request.outcome !== 'none') return false;
    const route = routes.find(({ payerId }) => payerId === request.payer_id);
    const channel = route && channelOf(route, request.channel);
    const facts = await readFacts(trx, requestId, channel);
    if (facts.leaseHolds) return false;
    if (request.lease_token !== null) {
      await endAttempt(trx, requestId, { outcome: 'lease_expired', endedAt: request.lease_until });
    }
    const attemptsAreUp = channel !== undefined && request.channel_attempt_count >= channel.attemptCountMax;
    const timeIsUp = facts.timeIsUp && channel !== undefined;
    if (!attemptsAreUp && !timeIsUp) {
      if (request.lease_token === null) return false;
      await sql`
        with hinted as (select pg_notify('work_due', ''))
        update request set lease_token = null, lease_until = null from hinted where id = ${requestId}`.execute(
        trx,
      );
      return true;
    }
    const next = planAfterFailure(route, {
      queue: request.channel,
      errorReason: null,
      final: false,
      earlierReason: toErrorReason(facts.earlierReason),
    });
    // An attempt says why it ended. A channel in which nobody tried leaves a line all the same, unless it is one that
    // nobody works: that it timed out would tell the provider of an attempt that could not be.
    const isPassedOver = next.kind === 'next_channel' && route?.skipsUnattended === true && !facts.isAttended;
    if (request.lease_token === null && !isPassedOver) await writeTimedOut(trx, requestId, channel.source);
    if (next.kind === 'next_channel') await moveRequest(trx, request, next.channel);
    else {
      const finding = {
        outcome: 'error_verifying' as const,
        errorReason: next.errorReason,
        insuranceData: [],
      };
      await applyFinding(trx, store, { request, finding, caller: null, operation: 'work.expire' });
    }
    return true;
  });
}

type Transaction = Parameters<typeof lockRequest>[0];

interface Facts {
  readonly leaseHolds: boolean;
  readonly timeIsUp: boolean;
  /** Whether somebody worked the channel while the request was in it. Noted only of routes that skip others. */
  readonly isAttended: boolean;
  readonly earlierReason: string | null;
}

/** By the database's clock. While a request waits in `entry` its time runs from when it came. */
async function readFacts(
  trx: Transaction,
  requestId: string,
  channel: RouteChannel | undefined,
): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select coalesce(lease_until > clock_timestamp(), false) as "leaseHolds",
      coalesce(coalesce(channel_until, work_due_at + make_interval(secs => ${channel?.secondsMax ?? null}::float8)) <= now(), false)
        as "timeIsUp",
      exists (
        select from channel_attendance as attendance
        where attendance.payer_id = request.payer_id and attendance.channel = ${channel?.source ?? null}
          and attendance.claimed_at + make_interval(secs => ${ATTENDED_SECONDS})
            > case when request.channel = 'entry' then request.work_due_at else request.channel_entered_at end
      ) as "isAttended",
      (select error_reason from verification_attempt
        where request_id = request.id and error_reason is not null order by number desc limit 1) as "earlierReason"
    from request where id = ${requestId}`.execute(trx);
  const [facts] = rows;
  if (!facts) throw new Error('A locked request is gone.');
  return facts;
}

async function writeTimedOut(trx: Transaction, requestId: string, channel: string): Promise<void> {
  await sql`
    with counted as (
      update request set verification_attempt_count = verification_attempt_count + 1 where id = ${requestId}
      returning id, account_id, payer_id, verification_attempt_count, channel, channel_entered_at, work_due_at
    )
    insert into verification_attempt
      (request_id, number, account_id, payer_id, channel, started_at, ended_at, outcome)
    select id, verification_attempt_count, account_id, payer_id, ${channel},
      case when channel = 'entry' then work_due_at else channel_entered_at end, now(), 'timed_out'
    from counted`.execute(trx);
}

/** Out of the way for a day: it can be neither worked on nor ended, and the others must flow. */
async function putOff({ db }: Store, requestId: string): Promise<void> {
  await sql`
    with ended as (
      update verification_attempt set ended_at = now(), outcome = 'lease_expired'
      where request_id = ${requestId} and ended_at is null
    )
    update request set lease_token = null, lease_until = null, work_due_at = now() + interval '1 day',
      channel_until = now() + interval '1 day'
    where id = ${requestId} and outcome = 'none'`.execute(db);
}
