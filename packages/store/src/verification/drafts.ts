import { type Draft, initialsOf, type SavedDraft } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within, withinOrWorked, withinPayers } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { decryptOrNull } from '../encryption/encrypt.ts';
import type { Vault } from '../encryption/vault.ts';
import { openRequestInfo } from '../intake/read-request.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { type Page, type PageOptions, readSizedPage } from '../page.ts';
import type { Tables } from '../tables/tables.ts';

// An unfinished request has one draft at most. The holder of its lease reads and replaces it; while no other verifier holds
// the lease, so does one who worked on the request within a day: text typed while the lease expired is not lost.

/** How many days a draft is kept after its last save. */
export const DRAFT_DAYS = 7;

export interface DraftReading {
  readonly caller: Caller;
  readonly requestId: string;
}

export type FoundDraft =
  /** `draft`: null also while another verifier holds the lease. */
  { readonly kind: 'found'; readonly draft: Draft | null } | { readonly kind: 'not_found' | 'erased' };

/** Reads the draft of a request that the caller leases or worked on within a day. */
export async function getDraft(store: Store, { caller, requestId }: DraftReading): Promise<FoundDraft> {
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const request = await store.db
    .selectFrom('request')
    .select(['account_id', 'outcome', 'erased_at', isLeasedByAnother(caller).as('is_taken')])
    .where('id', '=', requestId)
    .where(withinOrWorked(caller))
    .executeTakeFirst();
  if (!request) return { kind: 'not_found' };
  if (request.erased_at) return { kind: 'erased' };
  const isReadable = request.outcome === 'none' && !request.is_taken;
  const row = isReadable ? await readRow(store.db, requestId) : undefined;
  await recordAccess(store.db, { caller, operation: 'drafts.get', requestIds: [requestId] });
  return { kind: 'found', draft: row ? await openDraft(store.vault, request.account_id, row) : null };
}

export interface DraftSaving extends DraftReading {
  readonly content: string;
  /** The revision that this replaces; null without a draft. */
  readonly revision: number | null;
}

export type SavedDraftKind =
  | { readonly kind: 'saved'; readonly draft: SavedDraft }
  /** `lease_lost`: another verifier holds the lease. `draft_changed`: the stored draft has another revision. */
  | { readonly kind: 'not_found' | 'finished' | 'erased' | 'lease_lost' | 'draft_changed' };

/** Saves the draft of a request in place of the revision that the caller read. */
export async function saveDraft(store: Store, saving: DraftSaving): Promise<SavedDraftKind> {
  const { caller, requestId, content, revision: replaced } = saving;
  return store.db.transaction().execute(async (trx): Promise<SavedDraftKind> => {
    const locked = await lockWorkedRequest(trx, saving);
    if (locked.kind !== 'found') return locked;
    const { accountId, nextRevision: revision } = locked;
    const row = await readRow(trx, requestId);
    if ((row?.revision ?? null) !== (replaced === null ? null : String(replaced))) {
      // The repetition of a save whose answer was lost names the revision before the one that the save made.
      const draft = row && (await openDraft(store.vault, accountId, row));
      if (draft?.content !== content) return { kind: 'draft_changed' };
      return {
        kind: 'saved',
        draft: { request_id: requestId, revision: draft.revision, saved_at: draft.saved_at },
      };
    }
    const key = { request_id: requestId, written_by: caller.keyId, revision };
    const body = await store.vault.encrypt({ accountId }, placeOf(key), JSON.stringify(content));
    const changed = { written_by: caller.keyId, revision, body, saved_at: sql<Date>`now()` };
    const { saved_at: savedAt } = await trx
      .insertInto('draft')
      .values({ request_id: requestId, ...changed })
      .onConflict((conflict) => conflict.column('request_id').doUpdateSet(changed))
      .returning('saved_at')
      .executeTakeFirstOrThrow();
    await recordAccess(trx, { caller, operation: 'drafts.save', requestIds: [requestId] });
    return {
      kind: 'saved',
      draft: { request_id: requestId, revision: Number(revision), saved_at: savedAt.toISOString() },
    };
  });
}

export interface DraftDiscarding extends DraftReading {
  readonly revision: number;
}

export interface DiscardedDraftKind {
  /** `discarded`: also when there was none. `draft_changed`: it was saved since. */
  readonly kind: 'discarded' | 'not_found' | 'lease_lost' | 'draft_changed';
}

/** Deletes the draft of a request, if it is still the one that the caller read. */
export async function discardDraft(store: Store, discarding: DraftDiscarding): Promise<DiscardedDraftKind> {
  const { caller, requestId, revision } = discarding;
  return store.db.transaction().execute(async (trx): Promise<DiscardedDraftKind> => {
    const locked = await lockWorkedRequest(trx, discarding);
    // A request loses its draft with its result, and when it is erased.
    if (locked.kind === 'finished' || locked.kind === 'erased') return { kind: 'discarded' };
    if (locked.kind !== 'found') return { kind: locked.kind };
    const row = await readRow(trx, requestId);
    if (!row) return { kind: 'discarded' };
    if (row.revision !== String(revision)) return { kind: 'draft_changed' };
    await trx.deleteFrom('draft').where('request_id', '=', requestId).execute();
    await recordAccess(trx, { caller, operation: 'drafts.discard', requestIds: [requestId] });
    return { kind: 'discarded' };
  });
}

export interface DraftListOptions extends PageOptions {
  readonly caller: Caller;
}

/** A draft that the caller saved last, without its content. */
export interface OwnDraft {
  readonly requestId: string;
  readonly payerId: string;
  /** `J. D.`; null for a name without letters, and for one that cannot be decrypted. */
  readonly patientInitials: string | null;
  readonly savedAt: Date;
  readonly expiresAt: Date;
  readonly isLeased: boolean;
}

/** Lists the drafts of unfinished requests that the caller saved last, newest request first. */
export async function listDrafts(
  { db, vault }: Store,
  { caller, ...page }: DraftListOptions,
): Promise<Page<OwnDraft>> {
  const expiresAt = sql<Date>`saved_at + make_interval(days => ${DRAFT_DAYS})`;
  const own = db
    .selectFrom('draft')
    .innerJoin('request', 'request.id', 'draft.request_id')
    .innerJoin('work_queue', 'work_queue.request_id', 'draft.request_id') // unfinished
    .select(['request.id', 'request.account_id', 'request.payer_id', 'request.input'])
    .select(['draft.saved_at', expiresAt.as('expires_at')])
    .select(sql<boolean>`coalesce(work_queue.leased_until > now(), false)`.as('is_leased'))
    .where('draft.written_by', '=', caller.keyId)
    .where(within({ ...caller, acrossAccounts: true }, 'request.account_id'))
    .where(withinPayers(caller, 'request.payer_id'));
  const { rows, next_cursor } = await readSizedPage(db, own, { column: 'input', ...page });
  await recordAccess(db, { caller, operation: 'drafts.list', requestIds: rows.map(({ id }) => id) });
  const items = await Promise.all(
    rows.map(async (row) => {
      const input = await decryptOrNull(openRequestInfo(vault, row));
      return {
        requestId: row.id,
        payerId: row.payer_id,
        patientInitials: initialsOf(input?.patient_info.name),
        savedAt: row.saved_at,
        expiresAt: row.expires_at,
        isLeased: row.is_leased,
      };
    }),
  );
  return { items, next_cursor };
}

type WorkedRequest =
  | { readonly kind: 'found'; readonly accountId: string; readonly nextRevision: string }
  | { readonly kind: 'not_found' | 'finished' | 'erased' | 'lease_lost' };

/**
 * Locks an unfinished request that the caller may write a draft of, and draws the draft's next revision. While it is locked,
 * no result is applied, which would leave the draft stored, and no other draft is saved.
 */
async function lockWorkedRequest(
  trx: Transaction<Tables>,
  { caller, requestId }: DraftReading,
): Promise<WorkedRequest> {
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const row = await trx
    .selectFrom('request')
    .select(['account_id', 'outcome', 'erased_at', isLeasedByAnother(caller).as('is_taken')])
    .select(sql<string>`nextval('draft_revision')`.as('next_revision'))
    .where('id', '=', requestId)
    .where(withinOrWorked(caller))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return { kind: 'not_found' };
  if (row.erased_at) return { kind: 'erased' };
  if (row.outcome !== 'none') return { kind: 'finished' };
  if (row.is_taken) return { kind: 'lease_lost' };
  return { kind: 'found', accountId: row.account_id, nextRevision: row.next_revision };
}

/** Whether another verifier holds the lease now. A condition on `request`. */
const isLeasedByAnother = ({ keyId }: Caller) => sql<boolean>`exists (
    select from work_queue join verification_attempt as attempt on attempt.request_id = work_queue.request_id
    where work_queue.request_id = request.id and work_queue.leased_until > now()
      and attempt.key_id is distinct from ${keyId} and attempt.ended_at is null
  )`;

interface DraftRow {
  readonly request_id: string;
  readonly written_by: string;
  readonly revision: string;
  readonly body: Buffer;
  readonly saved_at: Date;
  /** A JSON string; null for a key. */
  readonly name: string | null;
}

const readRow = (db: Store['db'] | Transaction<Tables>, requestId: string): Promise<DraftRow | undefined> =>
  db
    .selectFrom('draft')
    .select(['request_id', 'written_by', 'revision', 'body', 'saved_at'])
    .select(sql<string | null>`(select name from staff where staff.id = draft.written_by)`.as('name'))
    .where('request_id', '=', requestId)
    .executeTakeFirst();

/** The binding of a draft's encryption: copied to another request, writer or revision, it cannot be decrypted. */
const placeOf = (row: Pick<DraftRow, 'request_id' | 'written_by' | 'revision'>): string =>
  `draft.body:${row.request_id}.${row.written_by}.${row.revision}`;

/** Converts a row to its API form. `accountId` is its request's. */
async function openDraft(vault: Vault, accountId: string, row: DraftRow): Promise<Draft> {
  return {
    request_id: row.request_id,
    revision: Number(row.revision),
    saved_at: row.saved_at.toISOString(),
    written_by: row.written_by,
    written_by_name: row.name === null ? null : (JSON.parse(row.name) as string),
    content: await vault.decryptJson<string>({ accountId }, placeOf(row), row.body),
  };
}
