import { randomUUID } from 'node:crypto';
import type { BatchMode, RequestInfo, ValidationError } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { insertRequests, type NewRequest } from '../intake/insert-requests.ts';
import { issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Route } from '../tables/intake.ts';
import type { Tables } from '../tables/tables.ts';

/** What a file is sent with. */
export interface BatchHead {
  readonly caller: Caller;
  readonly idempotencyKey: string;
  /** What must be equal for a file to be the same: its format, mode and defaults. */
  readonly head: string;
  readonly mode: BatchMode;
  readonly label: string | null;
}

export type BegunBatch =
  | { readonly kind: 'begun'; readonly receiver: BatchReceiver }
  /** It has all its rows, or takes no more: rows are only compared with those that are stored. */
  | { readonly kind: 'complete'; readonly receiver: BatchReceiver; readonly isCutOff: boolean }
  /** Another call sends its rows now. */
  | { readonly kind: 'in_progress' }
  /** The key was used with another format, mode or default. */
  | { readonly kind: 'idempotency_key_reused' };

/** The call that sends the rows of a batch: the only one that may add any. */
export interface BatchReceiver {
  readonly batchId: string;
  readonly caller: Caller;
  readonly mode: BatchMode;
  /** The fencing token; null where nothing may be added. */
  readonly token: string | null;
  /** Rows 1 to this one were stored before. */
  readonly storedCount: number;
  /** Of the payers: how long a row waits for one that does not answer. Absent: none is asked by this service. */
  readonly routes?: readonly Route[];
}

/** A row as it came. Its text is compared when the file is sent again. */
export type BatchRowSent = { readonly row: number; readonly text: string } & JudgedBatchRow;

type JudgedBatchRow = { readonly reference: string | null } & (
  | { readonly request: RowRequest; readonly faults: null }
  | { readonly request: null; readonly faults: readonly ValidationError[] }
);

/** What a row asks for. */
export interface RowRequest {
  readonly payerId: string;
  readonly input: RequestInfo;
  /** `YYYY-MM-DD`; null for the day of asking. */
  readonly serviceDate: string | null;
  readonly neededBy: Date | null;
  /** `F`, `M` or `U`; absent: not given. */
  readonly gender?: string;
}

/** Seconds without rows after which a call that sends them counts as lost, and another may resume. */
const RECEIVING_SECONDS = 10;

/** Finds the batch of an `Idempotency-Key`, or makes it, and takes its fencing token. */
export async function beginBatch(
  { db, vault }: Store,
  { caller, idempotencyKey, head, mode, label }: BatchHead,
): Promise<BegunBatch> {
  const key = vault.index('batch.key', idempotencyKey);
  const headDigest = vault.index('batch.head', head);
  const token = randomUUID();
  return db.transaction().execute(async (trx): Promise<BegunBatch> => {
    const made = await sql<{ id: string }>`
      insert into batch (id, account_id, key, head_digest, mode, label, sent_by, receiver, receiving_until)
      values (${issueId('bat')}, ${caller.accountId}, ${key}, ${headDigest}, ${mode}, ${label}, ${caller.keyId}, ${token},
        clock_timestamp() + make_interval(secs => ${RECEIVING_SECONDS}))
      on conflict (account_id, key) do nothing returning id`.execute(trx);
    const [fresh] = made.rows;
    if (fresh) {
      await recordAccess(trx, { caller, operation: 'batches.create', subjectId: fresh.id });
      return { kind: 'begun', receiver: { batchId: fresh.id, caller, mode, token, storedCount: 0 } };
    }
    const found = await trx
      .selectFrom('batch')
      .select(['id', 'head_digest', 'received_count', 'completed_at', 'cut_off'])
      .select(sql<boolean>`coalesce(receiving_until > clock_timestamp(), false)`.as('is_receiving'))
      .where('account_id', '=', caller.accountId)
      .where('key', '=', key)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    if (!found.head_digest.equals(headDigest)) return { kind: 'idempotency_key_reused' };
    const { id: batchId, received_count: storedCount, cut_off: isCutOff } = found;
    if (found.completed_at)
      return { kind: 'complete', isCutOff, receiver: { batchId, caller, mode, token: null, storedCount } };
    if (found.is_receiving) return { kind: 'in_progress' };
    await sql`
      update batch set receiver = ${token},
        receiving_until = clock_timestamp() + make_interval(secs => ${RECEIVING_SECONDS})
      where id = ${batchId}`.execute(trx);
    return { kind: 'begun', receiver: { batchId, caller, mode, token, storedCount } };
  });
}

/**
 * Compares rows with those that are stored at their places, and names the first that differs. An erased row is equal to
 * any.
 */
export async function findOtherRow(
  { db, vault }: Store,
  batchId: string,
  rows: readonly Pick<BatchRowSent, 'row' | 'text'>[],
): Promise<{ readonly kind: 'equal' } | { readonly kind: 'other_row'; readonly row: number }> {
  const stored = await db
    .selectFrom('batch_row')
    .select(['row', 'digest'])
    .where('batch_id', '=', batchId)
    .where('row', 'in', rows.length > 0 ? rows.map(({ row }) => row) : [0])
    .execute();
  const digests = new Map(stored.map(({ row, digest }) => [row, digest]));
  const other = rows.find(({ row, text }) => {
    const digest = digests.get(row);
    return digest && digest.length > 0 && !digest.equals(vault.index('batch_row.digest', text));
  });
  return other ? { kind: 'other_row', row: other.row } : { kind: 'equal' };
}

/** `lost`: another call sends the rows by now. `cut_off`: the batch takes no more rows, since it was canceled. */
interface Added {
  readonly kind: 'added' | 'lost' | 'cut_off';
}

/** Adds rows, in their order and without a gap, in one transaction. */
export async function addBatchRows(
  store: Store,
  receiver: BatchReceiver,
  rows: readonly BatchRowSent[],
): Promise<Added> {
  const rejectedCount = rows.filter(({ faults }) => faults !== null).length;
  return store.db.transaction().execute(async (trx): Promise<Added> => {
    const { numAffectedRows } = await sql`
      update batch set received_count = received_count + ${rows.length}, rejected_count = rejected_count + ${rejectedCount},
        receiving_until = clock_timestamp() + make_interval(secs => ${RECEIVING_SECONDS})
      where id = ${receiver.batchId} and receiver = ${receiver.token}`.execute(trx);
    if (numAffectedRows === 0n) {
      const { cut_off: isCutOff } = await trx
        .selectFrom('batch')
        .select('cut_off')
        .where('id', '=', receiver.batchId)
        .executeTakeFirstOrThrow();
      return { kind: isCutOff ? 'cut_off' : 'lost' };
    }
    const accepted = rows.flatMap(({ row, request }) => (request ? [{ row, request }] : []));
    const ids =
      receiver.mode === 'accept_valid'
        ? await insertRows({ ...store, db: trx }, receiver, accepted)
        : new Map();
    await insertBatchRows(trx, store, { receiver, rows, ids });
    return { kind: 'added' };
  });
}

interface AcceptedRow {
  readonly row: number;
  readonly request: RowRequest;
}

/** Creates the requests of rows. @returns their ids by row. */
export async function insertRows(
  store: Store,
  { batchId, caller, routes }: Pick<BatchReceiver, 'batchId' | 'caller' | 'routes'>,
  rows: readonly AcceptedRow[],
): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map();
  const requests = rows.map(({ request }): NewRequest => ({ caller, idempotencyKey: null, ...request }));
  const inserted = await insertRequests(store, requests, { batchId, routes });
  return new Map(
    inserted.map((one, index) => {
      const row = rows[index]?.row;
      if (one.kind !== 'created' || one.request.request_id === null || row === undefined)
        throw new Error('A request without an idempotency key is created.');
      return [row, one.request.request_id];
    }),
  );
}

interface RowInsertion {
  readonly receiver: BatchReceiver;
  readonly rows: readonly BatchRowSent[];
  /** Of the requests that were created, by row. */
  readonly ids: ReadonlyMap<number, string>;
}

async function insertBatchRows(
  trx: Transaction<Tables>,
  { vault }: Store,
  { receiver, rows, ids }: RowInsertion,
): Promise<void> {
  const { batchId, caller, mode } = receiver;
  const encrypt = await vault.encrypterFor([caller.accountId]);
  const references = rows.map(({ row, reference }) =>
    reference === null
      ? null
      : encrypt(caller.accountId, referencePlace(batchId, row), JSON.stringify(reference)),
  );
  await sql`
    insert into batch_row (batch_id, row, digest, reference, request_id, errors)
    select ${batchId}, * from unnest(${rows.map(({ row }) => row)}::int[],
      ${rows.map(({ text }) => vault.index('batch_row.digest', text))}::bytea[], ${references}::bytea[],
      ${rows.map(({ row }) => ids.get(row) ?? null)}::text[],
      ${rows.map(({ faults }) => faults && JSON.stringify(faults))}::jsonb[])`.execute(trx);
  const staged = mode === 'all_or_nothing' ? rows.filter(({ request }) => request !== null) : [];
  if (staged.length === 0) return;
  await sql`
    insert into batch_staged (batch_id, row, request)
    select ${batchId}, * from unnest(${staged.map(({ row }) => row)}::int[],
      ${staged.map(({ row, request }) =>
        encrypt(caller.accountId, stagedPlace(batchId, row), JSON.stringify(request)),
      )}::bytea[])`.execute(trx);
}

/** Where the sender's own id of a row is encrypted. */
export const referencePlace = (batchId: string, row: number): string =>
  `batch_row.reference:${batchId}.${row}`;

/** Where the request that a row is to become is encrypted. */
export const stagedPlace = (batchId: string, row: number): string => `batch_staged.request:${batchId}.${row}`;

/** Keeps the batch of a call that sends: its bytes come, and make no rows yet. */
export async function renewReceiver({ db }: Store, { batchId, token }: BatchReceiver): Promise<void> {
  await sql`
    update batch set receiving_until = clock_timestamp() + make_interval(secs => ${RECEIVING_SECONDS})
    where id = ${batchId} and receiver = ${token}`.execute(db);
}

/** Ends a call before the last row: another may resume at once. @returns how many rows are stored. */
export async function leaveBatch({ db }: Store, { batchId, token }: BatchReceiver): Promise<number> {
  const { rows } = await sql<{ stored: number }>`
    with ended as (
      update batch set receiver = null, receiving_until = null where id = ${batchId} and receiver = ${token}
    )
    select received_count as stored from batch where id = ${batchId}`.execute(db);
  return rows[0]?.stored ?? 0;
}

/** `other_row`: fewer rows came than before; the first that is missing. */
type Completed =
  | { readonly kind: 'completed' | 'lost' }
  | { readonly kind: 'other_row'; readonly row: number };

/**
 * The last row came. Of an `all_or_nothing` batch with a rejected row all are rejected now. A batch that was canceled
 * after that row is complete already.
 */
export async function completeBatch(
  { db }: Store,
  { batchId, token }: BatchReceiver,
  sentCount: number,
): Promise<Completed> {
  return db.transaction().execute(async (trx): Promise<Completed> => {
    const batch = await trx
      .selectFrom('batch')
      .select(['received_count', 'receiver', 'cut_off'])
      .where('id', '=', batchId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    if (batch.receiver !== token && !batch.cut_off) return { kind: 'lost' };
    if (batch.received_count > sentCount) return { kind: 'other_row', row: sentCount + 1 };
    if (!batch.cut_off) await settleRows(trx, batchId, { isCutOff: false });
    return { kind: 'completed' };
  });
}

/**
 * Takes no more rows into a batch that the transaction has locked. Of an `all_or_nothing` batch that was cut off, or has
 * a rejected row, all are rejected.
 */
export async function settleRows(
  trx: Transaction<Tables>,
  batchId: string,
  { isCutOff }: { readonly isCutOff: boolean },
): Promise<void> {
  await sql`
    update batch set completed_at = now(), cut_off = ${isCutOff}, receiver = null, receiving_until = null
    where id = ${batchId}`.execute(trx);
  const refused = await sql`
    update batch set rejected_count = received_count
    where id = ${batchId} and mode = 'all_or_nothing' and (rejected_count > 0 or cut_off)`.execute(trx);
  if (refused.numAffectedRows === 0n) return;
  await sql`
    with dropped as (delete from batch_staged where batch_id = ${batchId} returning row)
    update batch_row set errors = '[]' from dropped
    where batch_id = ${batchId} and batch_row.row = dropped.row`.execute(trx);
}
