import type { Caller } from '../../access/caller.ts';
import { withinOrWorked } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';

/** Records that the caller copied something of a patient out of a page. */
export async function noteCopy(
  { db }: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<{ readonly kind: 'noted' } | { readonly kind: 'not_found' }> {
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const request = await db
    .selectFrom('request')
    .select('id')
    .where('id', '=', requestId)
    .where(withinOrWorked(caller))
    .executeTakeFirst();
  if (!request) return { kind: 'not_found' };
  await recordAccess(db, { caller, operation: 'requests.noteCopy', requestIds: [requestId] });
  return { kind: 'noted' };
}
