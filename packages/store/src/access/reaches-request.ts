import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Caller } from './caller.ts';
import { withinOrWorked } from './reach.ts';

/** What a caller finds under an id; `erased`: the data of the request is gone. */
export type ReachedRequest = 'found' | 'not_found' | 'erased';

/** As {@link reachesRequest}, and whether there is still something to see. */
export async function findReached(
  { db }: Pick<Store, 'db'>,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<ReachedRequest> {
  if (!isIssuedId('req', requestId)) return 'not_found';
  const row = await db
    .selectFrom('request')
    .select('erased_at')
    .where('id', '=', requestId)
    .where(withinOrWorked(caller))
    .executeTakeFirst();
  if (!row) return 'not_found';
  return row.erased_at ? 'erased' : 'found';
}

/** Whether the caller may see a request. False also for an id that nobody was given. */
export async function reachesRequest(
  { db }: Pick<Store, 'db'>,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<boolean> {
  return (await findReached({ db }, { caller, requestId })) !== 'not_found';
}
