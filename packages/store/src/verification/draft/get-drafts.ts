import type { RequestDrafts } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { withinOrWorked } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { openDraft, writersName } from './draft-row.ts';

export type FoundDrafts =
  | { readonly kind: 'found'; readonly drafts: RequestDrafts }
  | { readonly kind: 'not_found' | 'erased' };

/**
 * The caller's draft about a request that it leases or worked on within a day; and while it holds the lease, the latest
 * one that somebody else left.
 */
export async function getDrafts(
  store: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<FoundDrafts> {
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const request = await store.db
    .selectFrom('request')
    .select(['account_id', 'outcome', 'erased_at', holdsLease(caller).as('is_holder')])
    .where('id', '=', requestId)
    .where(withinOrWorked(caller))
    .executeTakeFirst();
  if (!request) return { kind: 'not_found' };
  if (request.erased_at) return { kind: 'erased' };
  const rows = await store.db
    .selectFrom('draft')
    .select(['request_id', 'written_by', 'revision', 'body', 'saved_at', writersName.as('name')])
    .where('request_id', '=', requestId)
    .where(
      sql<boolean>`(written_by = ${caller.keyId} or ${request.is_holder}) and ${request.outcome === 'none'}`,
    )
    .orderBy('saved_at', 'desc')
    .execute();
  const own = rows.find((row) => row.written_by === caller.keyId);
  const other = rows.find((row) => row.written_by !== caller.keyId);
  await recordAccess(store.db, { caller, operation: 'drafts.get', requestIds: [requestId] });
  return {
    kind: 'found',
    drafts: {
      own: own ? await openDraft(store.vault, request.account_id, own) : null,
      other: other ? await openDraft(store.vault, request.account_id, other) : null,
    },
  };
}

/** Whether the caller works on the request now. A condition on `request`. */
const holdsLease = ({ keyId }: Caller) => sql<boolean>`exists (
    select from work_queue join verification_attempt as attempt on attempt.request_id = work_queue.request_id
    where work_queue.request_id = request.id and work_queue.leased_until > now()
      and attempt.key_id = ${keyId} and attempt.ended_at is null
  )`;
