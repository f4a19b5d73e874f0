import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Caller } from './caller.ts';
import { withinOrWorked } from './reach.ts';

/** Whether the caller may see a request. False also for an id that nobody was given. */
export async function reachesRequest(
  { db }: Pick<Store, 'db'>,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<boolean> {
  if (!isIssuedId('req', requestId)) return false;
  const row = await db
    .selectFrom('request')
    .select('id')
    .where('id', '=', requestId)
    .where(withinOrWorked(caller))
    .executeTakeFirst();
  return row !== undefined;
}
