import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { RequestModel } from '@insurance-verification/schema';
import type { Store } from '../open-store.ts';
import { openRequestModel, requestModelColumns } from '../request-row.ts';

/** One request of the caller's account; null when it has none of this id, malformed ids included. */
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
    .where('account_id', '=', caller.accountId)
    .executeTakeFirst();
  if (!row) return null;
  await recordAccess(store.db, { caller, operation: 'requests.get', requestIds: [requestId] });
  return openRequestModel(store.vault, row);
}
