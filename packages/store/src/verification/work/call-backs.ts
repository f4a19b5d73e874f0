import { type CallBackItem, initialsOf, type VerificationSource } from '@insurance-verification/schema';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within, withinChannels, withinPayers } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { decryptOrNull } from '../../encryption/encrypt.ts';
import { type Evidence, encryptEvidence } from '../../evidence/attempt-evidence.ts';
import { openRequestInfo } from '../../intake/read-request.ts';
import { PAIR_LOCKS } from '../../locks.ts';
import type { Store } from '../../open-store.ts';
import { isPhone, type Pool, type Route } from '../../tables/intake.ts';
import type { Tables } from '../../tables/tables.ts';
import { endAttempt } from '../overdue/requeue.ts';
import { callBacksFunction } from './call-backs.sql.ts';
import { type AskedQueues, askedQueues } from './choose-work.ts';
import { lockLease, type WorkLease } from './work-lease.ts';

/** Days ahead that a call-back may be. */
export const CALL_BACK_DAYS = 14;

/** Minutes for which a person's own call-back waits for them before any verifier may take it. */
const OWN_MINUTES = 15;

/** Call-backs that one person or key has planned at once. Without a bound, one key could park every request by phone. */
export const CALL_BACK_COUNT_MAX = 30;

/** Call-backs that one list shows: to a verifier, and to an operator, who sees those of all verifiers. */
const LISTED_MAX = { own: 200, all: 1_000 } as const;

interface CallBackPlan extends WorkLease {
  readonly at: Date;
  /** Whether the caller calls back; else any verifier may. */
  readonly isOwn: boolean;
  readonly routes: readonly Route[];
  readonly evidence: Evidence;
}

type PlannedCallBack =
  | { readonly kind: 'parked' }
  /** The time is not in the next 14 days, or not before the result is needed, which is at `neededBy`. */
  | { readonly kind: 'not_ahead' }
  | { readonly kind: 'after_needed_by'; readonly neededBy: Date }
  | { readonly kind: 'not_by_phone' }
  /** The caller has planned as many as it may have at once. */
  | { readonly kind: 'too_many_call_backs' }
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' };

/**
 * Ends a lease and keeps the request from verifiers until a time, since the payer asked to be called back. It waits in
 * its channel, whose time does not run; the attempt does not count. The caller's own call-back opens to every verifier
 * 15 minutes after its time, and in any case before the result is needed. A key or person plans 30 at once, also
 * counting those that any verifier may make.
 */
export async function planCallBack(store: Store, plan: CallBackPlan): Promise<PlannedCallBack> {
  const { caller, requestId, at, isOwn } = plan;
  return store.db.transaction().execute(async (trx): Promise<PlannedCallBack> => {
    const lease = await lockLease(trx, plan);
    if (lease.kind !== 'held') return lease;
    const { request } = lease;
    if (!isPhone(request.channel)) return { kind: 'not_by_phone' };
    const { rows } = await sql<{
      is_ahead: boolean;
      needed_by: Date | null;
      is_late: boolean;
      payer_id: string;
      channel_until: Date | null;
      now: Date;
    }>`
      select ${at}::timestamptz > now() and ${at}::timestamptz <= now() + make_interval(days => ${CALL_BACK_DAYS}) as is_ahead,
        needed_by, payer_id, channel_until, now() as now, needed_by > now() and needed_by <= ${at}::timestamptz as is_late
      from work_queue where request_id = ${requestId}`.execute(trx);
    const [queued] = rows;
    if (!queued?.is_ahead) return { kind: 'not_ahead' };
    if (queued.needed_by && queued.is_late) return { kind: 'after_needed_by', neededBy: queued.needed_by };
    if ((await countPlanned(trx, caller)) >= CALL_BACK_COUNT_MAX) return { kind: 'too_many_call_backs' };
    const evidence = await encryptEvidence(store.vault, request, plan.evidence);
    await endAttempt(trx, requestId, { outcome: 'call_back', evidence });
    await sql`
      update work_queue set lease = null, leased_at = null, leased_until = null, postponed = true,
        attempt_count = greatest(attempt_count - 1, 0), channel_until = coalesce(${endAfter(plan, queued)}::timestamptz, channel_until + (${at}::timestamptz - now())),
        call_back_at = ${at}, call_back_by = ${caller.keyId}, call_back_is_own = ${isOwn},
        waits_since = case when ${isOwn} then least(${at}::timestamptz + make_interval(mins => ${OWN_MINUTES}),
            greatest(${at}::timestamptz, coalesce(needed_by - make_interval(mins => ${OWN_MINUTES}), 'infinity')))
          else ${at}::timestamptz end
      where request_id = ${requestId}`.execute(trx);
    await recordAccess(trx, { caller, operation: 'work.callBack', requestIds: [requestId] });
    return { kind: 'parked' };
  });
}

/** Counts the call-backs that the caller has planned. Concurrent plans of one caller count one after the other. */
async function countPlanned(trx: Transaction<Tables>, { keyId }: Caller): Promise<number> {
  await sql`select pg_advisory_xact_lock(${PAIR_LOCKS.callBacks}, hashtext(${keyId}))`.execute(trx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from work_queue where call_back_by = ${keyId}`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** When the channel's open time that is left has passed after the call-back; null where its payer has no hours. */
function endAfter(
  { at, routes }: CallBackPlan,
  queued: { readonly payer_id: string; readonly channel_until: Date | null; readonly now: Date },
): Date | null {
  const { channel_until: until, now } = queued;
  const route = routes.find(({ payerId }) => payerId === queued.payer_id);
  const hours = route?.phoneHours;
  if (!hours || !until) return null;
  return new Date(at.getTime() + 1_000 * hours.secondsAhead(at, hours.openSeconds(now, until)));
}

/** The call-backs whose time has come: any verifier's, and the caller's own. They come before all other work. */
export function chooseCallBacks(
  { limit, ...asked }: AskedQueues & { readonly limit: number },
  caller: Caller,
): RawBuilder<unknown> {
  return sql`(
    with due as (
      select waiting.id, waiting.payer_id, waiting.call_back_at, queue.queue, queue.channel,
        queue.seconds_max, queue.attempt_count_max, queue.room
      from ${callBacks({ caller, pool: asked.pool, dueBefore: sql`now()` })} as waiting
      join ${askedQueues(asked)} as queue on queue.payer_id = waiting.payer_id and queue.queue = waiting.channel
        and queue.queue = queue.channel and waiting.attempt_count < queue.attempt_count_max
      where ${within(caller, 'waiting.account_id')}
    ), ranked as (
      select *, row_number() over (order by call_back_at, id) as place, count(*) over () as candidate_count,
        row_number() over (partition by payer_id order by call_back_at, id) as payer_place
      from due
    )
    select * from ranked where payer_place <= coalesce(room, payer_place) and place <= ${limit}
  )`;
}

/**
 * Selects what `chooseCallBacks` found, and other work only if it found none, in one statement: a claim of its own for
 * the call-backs took as long again. One candidate more than the call-backs, since there may be other work.
 */
export const chooseFirst = (
  callBacks: RawBuilder<unknown>,
  others: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`(
    with due as materialized (
      select place, id, queue, channel, seconds_max, attempt_count_max, candidate_count + 1 as candidate_count
      from ${callBacks} as due
    )
    select * from due
    union all
    select other.* from (select where not exists (select from due)) as none cross join lateral (
      select place, id, queue, channel, seconds_max, attempt_count_max, candidate_count from ${others} as other
    ) as other
  )`;

interface CallBacksOf {
  readonly caller: Caller;
  readonly pool: Pool;
  readonly dueBefore: RawBuilder<unknown>;
  /** Those that others keep as well. */
  readonly ofAll?: boolean;
}

const callBacks = ({ caller, pool, dueBefore, ofAll = false }: CallBacksOf): RawBuilder<unknown> =>
  sql`${sql.raw(callBacksFunction.name)}(${pool}, ${dueBefore}, ${caller.keyId}, ${ofAll},
    ${LISTED_MAX[ofAll ? 'all' : 'own']})`;

interface OwnDue {
  readonly payer_id: string;
  readonly channel: string;
  readonly count: number;
  /** Since the time of the earliest. */
  readonly oldest_seconds: number;
  /** Those that their accounts needed before now. */
  readonly late_count: number;
  /** When the next of the others is needed; null where none says when. */
  readonly next_needed_at: Date | null;
}

/** Counts the caller's own call-backs whose time has come and that other verifiers may not take yet. */
export async function countOwnDue({ db }: Store, caller: Caller): Promise<OwnDue[]> {
  const { rows } = await sql<OwnDue>`
    select waiting.payer_id, waiting.channel, count(*)::int as count,
      extract(epoch from now() - min(waiting.call_back_at))::float8 as oldest_seconds,
      count(*) filter (where waiting.needed_by <= now())::int as late_count,
      min(waiting.needed_by) filter (where waiting.needed_by > now()) as next_needed_at
    from ${callBacks({ caller, pool: caller.mode, dueBefore: sql`now()` })} as waiting
    where waiting.call_back_is_own and waiting.ready_at > now() and ${within(caller, 'waiting.account_id')}
    group by waiting.payer_id, waiting.channel`.execute(db);
  return rows;
}

interface CallBackRow {
  id: string;
  account_id: string;
  payer_id: string;
  payer_name: string;
  input: Buffer;
  channel: VerificationSource;
  call_back_at: Date;
  needed_by: Date | null;
  who: CallBackItem['who'];
  held_by: string | null;
  /** A JSON string. */
  holder_name: string | null;
}

interface CallBackListing {
  readonly caller: Caller;
  /** Those that others keep as well: for an operator. */
  readonly ofAll: boolean;
  /** Of the payers, by whose clocks they are called. */
  readonly routes: readonly Route[];
}

/** Lists the call-backs that the caller may see, the earliest first: any verifier's, the caller's own, or all. */
export async function listCallBacks(
  { db, vault }: Store,
  { caller, ofAll, routes }: CallBackListing,
): Promise<CallBackItem[]> {
  const { rows } = await sql<CallBackRow>`
    select request.id, request.account_id, waiting.payer_id, request.payer_name, request.input, waiting.channel, waiting.call_back_at,
      waiting.needed_by, case when not waiting.call_back_is_own then 'anyone'
        when waiting.call_back_by = ${caller.keyId} then 'me' else 'someone_else' end as who,
      case when waiting.call_back_is_own then waiting.call_back_by end as held_by,
      case when waiting.call_back_is_own then coalesce(staff.name, api_key.name) end as holder_name
    from ${callBacks({ caller, pool: caller.mode, dueBefore: sql`'infinity'`, ofAll })} as waiting
    join request on request.id = waiting.id
    left join staff on staff.id = waiting.call_back_by left join api_key on api_key.id = waiting.call_back_by
    where ${within(caller, 'waiting.account_id')} and ${withinPayers(caller, 'waiting.payer_id')}
      and ${withinChannels(caller, 'waiting.channel')}
    order by waiting.call_back_at, request.id`.execute(db);
  await recordAccess(db, {
    caller,
    operation: 'work.callBacks',
    requestIds: rows.map(({ id }) => id),
  });
  return Promise.all(
    rows.map(async ({ id, account_id, payer_name, input, call_back_at, needed_by, ...row }) => {
      const info = await decryptOrNull(openRequestInfo(vault, { id, account_id, input }));
      return {
        request_id: id,
        payer: payer_name,
        patient_initials: initialsOf(info?.patient_info.name),
        channel: row.channel,
        call_back_at: call_back_at.toISOString(),
        time_zone: routes.find(({ payerId }) => payerId === row.payer_id)?.phoneHours?.timeZone ?? null,
        needed_by: needed_by?.toISOString() ?? null,
        who: row.who,
        held_by: row.held_by,
        holder_name: row.holder_name === null ? null : (JSON.parse(row.holder_name) as string),
      };
    }),
  );
}
