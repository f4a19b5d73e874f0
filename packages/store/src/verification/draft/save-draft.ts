import type { SavedDraft } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Vault } from '../../encryption/vault.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { draftPlace, openDraft, writersName } from './draft-row.ts';
import { lockWorkedRequest } from './lock-worked-request.ts';

export interface DraftSaving {
  readonly caller: Caller;
  readonly requestId: string;
  readonly content: string;
  /** The revision that this replaces; null when there is none. */
  readonly revision: number | null;
}

export type SavedDraftKind =
  | { readonly kind: 'saved'; readonly draft: SavedDraft }
  /** `draft_changed`: the caller's draft has another revision, so another tab of theirs saved or discarded it. */
  | { readonly kind: 'not_found' | 'finished' | 'erased' | 'draft_changed' };

/** Saves the caller's draft about a request, if it is still the one that the caller read. */
export async function saveDraft(store: Store, saving: DraftSaving): Promise<SavedDraftKind> {
  const { caller, requestId, content, revision } = saving;
  return store.db.transaction().execute(async (trx): Promise<SavedDraftKind> => {
    const locked = await lockWorkedRequest(trx, saving);
    if (locked.kind !== 'found') return locked;
    const { accountId, nextRevision } = locked;
    const key = { request_id: requestId, written_by: caller.keyId };
    const place = draftPlace({ ...key, revision: nextRevision });
    const body = await store.vault.seal({ accountId }, place, JSON.stringify(content));
    const row = { ...key, revision: nextRevision, body };
    const saved = await (revision === null ? insert(trx, row) : replace(trx, row, revision));
    if (!saved) return unchanged(trx, store.vault, accountId, saving);
    await recordAccess(trx, { caller, operation: 'drafts.save', requestIds: [requestId] });
    return {
      kind: 'saved',
      draft: {
        request_id: requestId,
        revision: Number(nextRevision),
        saved_at: saved.saved_at.toISOString(),
      },
    };
  });
}

interface NewRow {
  readonly request_id: string;
  readonly written_by: string;
  readonly revision: string;
  readonly body: Buffer;
}

const insert = (trx: Transaction<Tables>, row: NewRow) =>
  trx
    .insertInto('draft')
    .values(row)
    .onConflict((conflict) => conflict.columns(['request_id', 'written_by']).doNothing())
    .returning('saved_at')
    .executeTakeFirst();

const replace = (
  trx: Transaction<Tables>,
  { request_id, written_by, revision, body }: NewRow,
  replaced: number,
) =>
  trx
    .updateTable('draft')
    .set({ revision, body, saved_at: sql<Date>`now()` })
    .where('request_id', '=', request_id)
    .where('written_by', '=', written_by)
    .where('revision', '=', String(replaced))
    .returning('saved_at')
    .executeTakeFirst();

/** A repeated save, whose answer was lost, names the revision before the one that it made: the same text is saved already. */
async function unchanged(
  trx: Transaction<Tables>,
  vault: Vault,
  accountId: string,
  { caller, requestId, content }: DraftSaving,
): Promise<SavedDraftKind> {
  const row = await trx
    .selectFrom('draft')
    .select(['request_id', 'written_by', 'revision', 'body', 'saved_at', writersName.as('name')])
    .where('request_id', '=', requestId)
    .where('written_by', '=', caller.keyId)
    .executeTakeFirst();
  const draft = row && (await openDraft(vault, accountId, row));
  if (draft?.content !== content) return { kind: 'draft_changed' };
  const { request_id, revision, saved_at } = draft;
  return { kind: 'saved', draft: { request_id, revision, saved_at } };
}
