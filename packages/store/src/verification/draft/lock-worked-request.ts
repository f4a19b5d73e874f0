import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { withinOrWorked } from '../../access/reach.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Tables } from '../../tables/tables.ts';

export type WorkedRequest =
  | { readonly kind: 'found'; readonly accountId: string; readonly nextRevision: string }
  | { readonly kind: 'not_found' | 'finished' | 'erased' };

/**
 * Locks an unfinished request that the caller leases or worked on within a day, and draws a draft's next revision. The
 * lock keeps a result from being applied meanwhile, after which the draft would stay behind. No lease is required: what
 * was typed while it lapsed, as without a network, is saved as well.
 */
export async function lockWorkedRequest(
  trx: Transaction<Tables>,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<WorkedRequest> {
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const row = await trx
    .selectFrom('request')
    .select([
      'account_id',
      'outcome',
      'erased_at',
      sql<string>`nextval('draft_revision')`.as('next_revision'),
    ])
    .where('id', '=', requestId)
    .where(withinOrWorked(caller))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return { kind: 'not_found' };
  if (row.erased_at) return { kind: 'erased' };
  if (row.outcome !== 'none') return { kind: 'finished' };
  return { kind: 'found', accountId: row.account_id, nextRevision: row.next_revision };
}
