import type { ResponseModel } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { readRevealed, revealedColumns } from './read-revealed.ts';

export type RevealedRequest =
  | { readonly kind: 'found'; readonly revealed: ResponseModel }
  /** No such request within the caller's reach. */
  | { readonly kind: 'not_found' };

/** A request with its patient, and the result that stands: what a page shows after it was asked for. */
export async function revealRequest(
  store: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<RevealedRequest> {
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const row = await store.db
    .selectFrom('request')
    .leftJoin('result', (join) =>
      join.onRef('result.request_id', '=', 'request.id').onRef('result.version', '=', 'request.version'),
    )
    .select(revealedColumns)
    .where('request.id', '=', requestId)
    .where(within(caller, 'request.account_id'))
    .executeTakeFirst();
  if (!row) return { kind: 'not_found' };
  await recordAccess(store.db, { caller, operation: 'requests.reveal', requestIds: [requestId] });
  return { kind: 'found', revealed: await readRevealed(store, row) };
}
