import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { readX12Exchanges, type X12Exchange } from './x12-exchange.ts';

/** The kept exchanges about a request within the caller's reach, first to last. Null: there is no such request. */
export async function listX12Exchanges(
  store: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<X12Exchange[] | null> {
  if (!isIssuedId('req', requestId)) return null;
  const request = await store.db
    .selectFrom('request')
    .select('id')
    .where('id', '=', requestId)
    .where(within(caller, 'account_id'))
    .executeTakeFirst();
  if (!request) return null;
  // Before they are opened: whoever asked may have seen a part of what does not open whole.
  await recordAccess(store.db, { caller, operation: 'requests.exchanges', requestIds: [requestId] });
  return readX12Exchanges(store, requestId);
}
