import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { writeEvent } from '../events/write-event.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { closeUnleased } from '../output/close-request.ts';
import type { Route } from '../tables/intake.ts';
import { sumsOfPlaces } from './read-batches.ts';
import { insertRows, type RowRequest, settleRows, stagedPlace } from './receive-batch.ts';

/** Rows that one transaction accepts, and that one step closes: some hundred milliseconds. */
const CHUNK_COUNT = 200;

/** Rows that one statement takes out of the queues, or out of what is staged. */
const WITHDRAWN_COUNT = 5_000;

/** Requests that a step closes at once, each in a transaction of its own. */
const CLOSING_COUNT = 4;

/** How long a batch that was cut off can be resumed, as the contract says. */
const RESUMABLE = '24 hours';

/**
 * Adds what changed the counters of batches to them, and ends those that wait for no row. Any process may call it at any
 * time. It waits for no batch that is being canceled: see {@link keepBatches}.
 * @throws the first failure, once the other batches are done.
 */
export async function endBatches(store: Store): Promise<void> {
  const { rows } = await sql<{ id: string; is_over: boolean }>`
    select distinct batch_id as id, false as is_over from batch_change
    union all
    select id, true from batch
    where ended_at is null and completed_at is not null
      and not exists (select from work_queue where batch_id = batch.id)
      and not exists (select from batch_staged where batch_id = batch.id)
    order by is_over, id`.execute(store.db);
  await eachOf(rows.map((row) => () => (row.is_over ? endIfOver(store, row.id) : addChanges(store, row.id))));
}

interface OpenBatch {
  readonly id: string;
  readonly is_canceled: boolean;
  readonly is_completed: boolean;
}

/**
 * Takes each open batch one step further: accepts rows of an `all_or_nothing` batch whose call was lost, closes rows of a
 * canceled one, completes one that was not resumed. Any process may call it at any time.
 * @param routes of the payers, for the requests that it creates.
 * @returns whether a batch may need another step at once.
 * @throws the first failure, once the other batches are done.
 */
export async function keepBatches(
  store: Store,
  routes: readonly Route[] = [],
): Promise<{ readonly mayHaveMore: boolean }> {
  const open = await sql<OpenBatch>`
    select id, canceled_at is not null as is_canceled, completed_at is not null as is_completed
    from batch
    where ended_at is null and (completed_at is not null
      or received_at < now() - ${RESUMABLE}::interval and coalesce(receiving_until < clock_timestamp(), true))
    order by id`.execute(store.db);
  let mayHaveMore = false;
  await eachOf(
    open.rows.map((batch) => async () => {
      if (await keepBatch(store, batch, routes)) mayHaveMore = true;
    }),
  );
  return { mayHaveMore };
}

async function keepBatch(
  store: Store,
  { id, is_canceled, is_completed }: OpenBatch,
  routes: readonly Route[],
): Promise<boolean> {
  if (is_canceled) return closeChunk(store, id);
  if (is_completed) return acceptChunk(store, id, routes);
  await giveUp(store, id);
  return false;
}

/** Runs steps one after the other, also after one that failed. @throws the first failure. */
async function eachOf(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((err: unknown) => void failures.push(err));
  if (failures.length > 0) throw failures[0];
}

/** Adds what changed the counters of a batch to them, unless another call does it. */
async function addChanges({ db }: Store, batchId: string): Promise<void> {
  await sql`
    with kept as materialized (
      select id from batch where id = ${batchId} for no key update skip locked
    ), added as (
      delete from batch_change where batch_id in (select id from kept) returning place, count
    )
    update batch set answered_count = answered_count + answered, failed_count = failed_count + failed,
      closed_count = closed_count + closed, erased_count = erased_count + erased
    from (select ${sumsOfPlaces} from added) as sums
    where id in (select id from kept)`.execute(db);
}

async function giveUp({ db }: Store, batchId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const batch = await trx
      .selectFrom('batch')
      .select('id')
      .where('id', '=', batchId)
      .where('completed_at', 'is', null)
      .where(sql<boolean>`coalesce(receiving_until < clock_timestamp(), true)`)
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (batch) await settleRows(trx, batchId, { isCutOff: true });
  });
}

/** Creates the requests of the rows that are staged, some at a time: none of them can be rejected any more. */
export async function acceptStaged(
  store: Store,
  batchId: string,
  routes: readonly Route[] = [],
): Promise<void> {
  while (await acceptChunk(store, batchId, routes));
}

interface StagedRow {
  readonly row: number;
  readonly request: Buffer;
}

async function acceptChunk(store: Store, batchId: string, routes: readonly Route[]): Promise<boolean> {
  return store.db.transaction().execute(async (trx) => {
    const batch = await trx
      .selectFrom('batch')
      .innerJoin('account', 'account.id', 'batch.account_id')
      .select(['batch.account_id', 'batch.sent_by', 'account.mode'])
      .where('batch.id', '=', batchId)
      .where('batch.completed_at', 'is not', null)
      .where('batch.canceled_at', 'is', null)
      .forNoKeyUpdate('batch')
      .executeTakeFirst();
    if (!batch) return false;
    const { rows } = await sql<StagedRow>`
      select row, request from batch_staged where batch_id = ${batchId} order by row limit ${CHUNK_COUNT}`.execute(
      trx,
    );
    if (rows.length === 0) return false;
    const open = await store.vault.decrypterFor(rows.map(({ request }) => request));
    const accepted = rows.map(({ row, request: encrypted }) => {
      const text = open(batch.account_id, stagedPlace(batchId, row), encrypted).toString('utf8');
      const request = JSON.parse(text) as Omit<RowRequest, 'neededBy'> & { neededBy: string | null };
      return {
        row,
        request: { ...request, neededBy: request.neededBy === null ? null : new Date(request.neededBy) },
      };
    });
    const caller = { keyId: batch.sent_by, accountId: batch.account_id, mode: batch.mode };
    const ids = await insertRows({ ...store, db: trx }, { batchId, caller, routes }, accepted);
    await sql`
      delete from batch_staged where batch_id = ${batchId} and row = any (${[...ids.keys()]})`.execute(trx);
    await sql`
      update batch_row set request_id = accepted.id
      from unnest(${[...ids.keys()]}::int[], ${[...ids.values()]}::text[]) as accepted (row, id)
      where batch_id = ${batchId} and batch_row.row = accepted.row`.execute(trx);
    return rows.length === CHUNK_COUNT;
  });
}

/**
 * Closes rows that wait of a canceled batch; what a verifier works on is finished. First they leave the queues, some
 * thousand at a time: `lease_work` refuses them, but other batches of the account would wait until they are closed.
 * @returns whether there may be more.
 */
async function closeChunk(store: Store, batchId: string): Promise<boolean> {
  const dropped = await sql<{ count: number }>`
    with dropped as (
      delete from batch_staged where batch_id = ${batchId} and row in (
        select row from batch_staged where batch_id = ${batchId} order by row limit ${WITHDRAWN_COUNT}
        for update skip locked
      ) returning row
    ), closed as (
      update batch_row set closed = true from dropped where batch_id = ${batchId} and batch_row.row = dropped.row
      returning batch_row.row
    ), counted as (
      insert into batch_change (batch_id, place, count)
      select ${batchId}, 'closed', count(*) from closed having count(*) > 0
    )
    select count(*)::int as count from closed`.execute(store.db);
  const withdrawn = await sql`
    update work_queue set pool = 'canceled' where request_id in (
      select request_id from work_queue
      where batch_id = ${batchId} and pool <> 'canceled' and (leased_until is null or leased_until <= now())
      order by request_id limit ${WITHDRAWN_COUNT} for no key update skip locked
    )`.execute(store.db);
  const { rows } = await sql<{ id: string }>`
    select request_id as id from work_queue where batch_id = ${batchId} and pool = 'canceled'
    order by request_id limit ${CHUNK_COUNT}`.execute(store.db);
  const waiting = rows.values();
  const closeNext = async () => {
    for (const { id } of waiting)
      await closeUnleased(store, { requestId: id, reason: 'withdrawn', operation: 'batches.cancel' });
  };
  await Promise.all(Array.from({ length: CLOSING_COUNT }, closeNext));
  return (
    rows.length === CHUNK_COUNT ||
    withdrawn.numAffectedRows === BigInt(WITHDRAWN_COUNT) ||
    dropped.rows[0]?.count === WITHDRAWN_COUNT
  );
}

/** Ends a batch whose rows all have a result, with how many were answered by then, and writes its event. */
export async function endIfOver(store: Store, batchId: string): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    // The lock first: the counters and what is to be added to them have to be of one moment.
    const batch = await trx
      .selectFrom('batch')
      .select('account_id')
      .where('id', '=', batchId)
      .where('completed_at', 'is not', null)
      .where('ended_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!batch) return;
    const ended = await sql`
      update batch set ended_at = now(), outcome = case answered_count + change.answered
        when 0 then 'none' when received_count then 'all' else 'some' end
      from (select ${sumsOfPlaces} from batch_change where batch_id = ${batchId}) as change
      where id = ${batchId}
        and not exists (select from work_queue where batch_id = ${batchId})
        and not exists (select from batch_staged where batch_id = ${batchId})`.execute(trx);
    if (ended.numAffectedRows === 0n) return;
    await writeEvent(
      { ...store, db: trx },
      {
        type: 'batch.ended',
        accountId: batch.account_id,
        subjectId: batchId,
        data: { batch_id: batchId },
      },
    );
  });
}

interface BatchOf {
  readonly caller: Caller;
  readonly batchId: string;
}

type Canceled = { readonly kind: 'canceled' } | { readonly kind: 'not_found' };

/**
 * Cancels a batch: it takes no more rows, none of those that wait is leased any more, and `keepBatches` closes them. Canceled
 * again it is the same.
 */
export async function cancelBatch({ db }: Store, { caller, batchId }: BatchOf): Promise<Canceled> {
  if (!isIssuedId('bat', batchId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<Canceled> => {
    const batch = await trx
      .selectFrom('batch')
      .select(['completed_at', 'canceled_at', 'ended_at'])
      .where('id', '=', batchId)
      .where(within(caller, 'account_id'))
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!batch) return { kind: 'not_found' };
    await recordAccess(trx, { caller, operation: 'batches.cancel', subjectId: batchId });
    if (batch.ended_at || batch.canceled_at) return { kind: 'canceled' };
    if (!batch.completed_at)
      await sql`
        update batch set completed_at = now(), cut_off = true, receiver = null, receiving_until = null
        where id = ${batchId}`.execute(trx);
    await sql`update batch set canceled_at = now(), canceled_by = ${caller.keyId} where id = ${batchId}`.execute(
      trx,
    );
    return { kind: 'canceled' };
  });
}
