import { sql } from 'kysely';
import { EVERYWHERE } from '../../access/reach.ts';
import { DecryptionError } from '../../encryption/encrypt.ts';
import { WrongMasterKeyError } from '../../encryption/master-keys.ts';
import { lockRequest } from '../../intake/lock-request.ts';
import type { Store } from '../../open-store.ts';
import { applyFinding, openLocked } from '../../output/apply-findings.ts';
import { channelOf, type Route, secondsBack } from '../../tables/intake.ts';
import { findOverdueFunction } from './find-overdue.sql.ts';
import { planOverdue } from './plan-overdue.ts';
import { endAttempts, requeueRequests } from './requeue.ts';

/** Where the search for unclaimed requests continues: after an account of a payer. */
export interface OverduePlace {
  readonly payerId: string;
  readonly slot: number;
  readonly accountId: string;
}

export interface AdvancedWork {
  /** Requests that were put back, moved on or ended. */
  readonly advancedCount: number;
  /** Ids of requests that cannot be ended, because their encrypted values cannot be decrypted. They are put off for a day. */
  readonly unreadableIds: readonly string[];
  /** Requests needed their first result by now: `writeOverdueEvents` reports them. */
  readonly hasLate: boolean;
  /** For the next call; null when all accounts were searched and the next call begins again. */
  readonly place: OverduePlace | null;
}

/** Rows of each kind in one call; the next call handles the rest. */
const LIMIT = 500;

/** The limit per account for unclaimed requests: an account with many must not delay the others. */
const ACCOUNT_LIMIT = 100;

/** Accounts whose unclaimed requests one call looks at. */
const ACCOUNTS_PER_CALL = 500;

/**
 * Applies the passage of time: ends the attempts whose lease lapsed and puts their requests back, moves requests on
 * whose channel has used up its attempts or its time, and ends those at the end of their route. Any process may call
 * it at any time; it skips a request that another process is changing.
 *
 * Requests that stay in the queue are written together, in one transaction of at most five statements. Each request
 * that ends gets its own transaction, since it may not decrypt.
 */
export async function advanceWork(
  store: Store,
  routes: readonly Route[],
  from: OverduePlace | null = null,
): Promise<AdvancedWork> {
  const { ids, ...found } = await findOverdue(store, routes, from);
  if (ids.length === 0) return { advancedCount: 0, unreadableIds: [], ...found };
  const { requeuedCount, endingIds } = await requeue(store, routes, ids);
  let advancedCount = requeuedCount;
  const unreadableIds: string[] = [];
  for (const id of endingIds) {
    try {
      if (await end(store, routes, id)) advancedCount += 1;
    } catch (err) {
      if (!(err instanceof DecryptionError || err instanceof WrongMasterKeyError)) throw err;
      await putOff(store, id);
      unreadableIds.push(id);
    }
  }
  return { advancedCount, unreadableIds, ...found };
}

async function findOverdue({ db }: Store, routes: readonly Route[], from: OverduePlace | null) {
  const { rows } = await sql<{
    ids: string[];
    has_late: boolean;
    after_payer: string | null;
    after_slot: number;
    after_account: string;
  }>`
    select * from ${sql.raw(findOverdueFunction.name)}(
      payer_ids => ${routes.map(({ payerId }) => payerId)},
      entry_seconds => ${routes.map((route) => secondsBack(route, channelOf(route, 'entry')))},
      rows_max => ${LIMIT}, account_rows_max => ${ACCOUNT_LIMIT}, accounts_max => ${ACCOUNTS_PER_CALL},
      after_payer => ${from?.payerId ?? null}, after_slot => ${from?.slot ?? null},
      after_account => ${from?.accountId ?? null}
    )`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('A function with out parameters answers a row.');
  const { ids, has_late: hasLate, after_payer: payerId, after_slot: slot, after_account: accountId } = found;
  return { ids, hasLate, place: payerId === null ? null : { payerId, slot, accountId } };
}

async function requeue({ db, vault }: Store, routes: readonly Route[], ids: readonly string[]) {
  return db.transaction().execute(async (trx) => {
    const plans = await planOverdue(trx, routes, ids);
    const staying = plans.filter(({ next }) => next.kind !== 'error_verifying');
    await endAttempts(trx, vault, staying);
    await requeueRequests(trx, staying);
    const ending = plans.filter(({ next }) => next.kind === 'error_verifying');
    return { requeuedCount: staying.length, endingIds: ending.map(({ requestId }) => requestId) };
  });
}

async function end(store: Store, routes: readonly Route[], requestId: string): Promise<boolean> {
  return store.db.transaction().execute(async (trx) => {
    const [plan] = await planOverdue(trx, routes, [requestId]);
    if (plan?.next.kind !== 'error_verifying') return false;
    const request = await lockRequest(trx, requestId, EVERYWHERE);
    if (!request) throw new Error('A locked request is gone.');
    await endAttempts(trx, store.vault, [plan]);
    const finding = {
      outcome: 'error_verifying' as const,
      errorReason: plan.next.errorReason,
      insuranceData: [],
    };
    const opened = await openLocked(store.vault, request);
    await applyFinding(trx, store, { request: opened, finding, caller: null, operation: 'work.expire' });
    return true;
  });
}

/** Puts a request off for a day: it can be neither worked on nor ended, and must not hold up the others. */
async function putOff({ db }: Store, requestId: string): Promise<void> {
  await sql`
    with ended as (
      update verification_attempt set ended_at = now(), outcome = 'lease_expired'
      where request_id = ${requestId} and ended_at is null
    )
    update work_queue set lease = null, leased_at = null, leased_until = null, waits_since = now() + interval '1 day', postponed = true,
      channel_until = now() + interval '1 day'
    where request_id = ${requestId}`.execute(db);
}
