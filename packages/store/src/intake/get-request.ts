import type { RequestModel } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { withinOrWorked } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { openRequestModel, requestModelColumns } from './request-row.ts';

/** `not_found`: no such request within the caller's reach; also for malformed ids. */
export type RequestRead =
  | { readonly kind: 'found'; readonly request: RequestModel }
  /** `erased`: its data is gone. */
  | { readonly kind: 'not_found' | 'erased' };

/** One request in its current state. */
export async function getRequest(
  store: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<RequestRead> {
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const row = await store.db
    .selectFrom('request')
    .select([...requestModelColumns, 'erased_at'])
    .where('id', '=', requestId)
    .where(withinOrWorked(caller))
    .executeTakeFirst();
  if (!row) return { kind: 'not_found' };
  if (row.erased_at) return { kind: 'erased' };
  await recordAccess(store.db, { caller, operation: 'requests.get', requestIds: [requestId] });
  return { kind: 'found', request: await openRequestModel(store.vault, row) };
}
