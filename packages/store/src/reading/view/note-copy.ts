import type { Caller } from '../../access/caller.ts';
import { reachesRequest } from '../../access/reaches-request.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';

/** Records that the caller copied something of a patient out of a page. */
export async function noteCopy(
  { db }: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<{ readonly kind: 'noted' } | { readonly kind: 'not_found' }> {
  if (!(await reachesRequest({ db }, { caller, requestId }))) return { kind: 'not_found' };
  await recordAccess(db, { caller, operation: 'requests.noteCopy', requestIds: [requestId] });
  return { kind: 'noted' };
}
