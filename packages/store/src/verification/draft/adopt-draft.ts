import type { Draft } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { lockLease, type WorkLease } from '../work/work-lease.ts';
import { draftPlace, openDraft, writersName } from './draft-row.ts';

export interface DraftAdoption extends WorkLease {
  /** The revision of the caller's own draft that this replaces; null when there is none. */
  readonly revision: number | null;
}

export type AdoptedDraft =
  | { readonly kind: 'adopted'; readonly draft: Draft }
  /** `not_found`: also when nobody else left a draft. */
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' | 'draft_changed' };

/** Makes the latest draft that somebody else left the caller's own, in place of the one that the caller has. */
export async function adoptDraft(store: Store, adoption: DraftAdoption): Promise<AdoptedDraft> {
  const { caller, requestId, revision } = adoption;
  return store.db.transaction().execute(async (trx): Promise<AdoptedDraft> => {
    const lease = await lockLease(trx, adoption);
    if (lease.kind !== 'held') return lease;
    const rows = await trx
      .selectFrom('draft')
      .select(['request_id', 'written_by', 'revision', 'body', 'saved_at', writersName.as('name')])
      .select(sql<string>`nextval('draft_revision')`.as('next_revision'))
      .where('request_id', '=', requestId)
      .orderBy('saved_at', 'desc')
      .execute();
    const own = rows.find((row) => row.written_by === caller.keyId);
    if ((own?.revision ?? null) !== (revision === null ? null : String(revision)))
      return { kind: 'draft_changed' };
    const other = rows.find((row) => row.written_by !== caller.keyId);
    if (!other) return { kind: 'not_found' };
    const { account_id: accountId } = lease.request;
    const left = await openDraft(store.vault, accountId, other);
    const key = { request_id: requestId, written_by: caller.keyId, revision: other.next_revision };
    const body = await store.vault.seal({ accountId }, draftPlace(key), JSON.stringify(left.content));
    await trx
      .deleteFrom('draft')
      .where('request_id', '=', requestId)
      .where('written_by', 'in', [caller.keyId, other.written_by])
      .execute();
    const { saved_at: savedAt } = await trx
      .insertInto('draft')
      .values({ ...key, body })
      .returning('saved_at')
      .executeTakeFirstOrThrow();
    await recordAccess(trx, { caller, operation: 'drafts.adopt', requestIds: [requestId] });
    const names = await trx
      .selectFrom('staff')
      .select('name')
      .where('id', '=', caller.keyId)
      .executeTakeFirst();
    const row = { ...key, body, saved_at: savedAt, name: names?.name ?? null };
    return { kind: 'adopted', draft: await openDraft(store.vault, accountId, row) };
  });
}
