import type { RequestModel } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { withinOrWorked } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { openRequestModel, requestModelColumns } from '../request-row.ts';

/** One request within the caller's reach; null when there is none of this id, malformed ids included. */
export async function getRequest(
  store: Store,
  caller: Caller,
  requestId: string,
): Promise<RequestModel | null> {
  if (!isIssuedId('req', requestId)) return null;
  const row = await store.db
    .selectFrom('request')
    .select(requestModelColumns)
    .where('id', '=', requestId)
    .where(withinOrWorked(caller))
    .executeTakeFirst();
  if (!row) return null;
  await recordAccess(store.db, { caller, operation: 'requests.get', requestIds: [requestId] });
  return openRequestModel(store.vault, row);
}
