import type { Caller } from '../access/caller.ts';
import { withinOrWorked } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { type AttemptView, readAttempts } from './read-attempts.ts';

export interface AttemptListing {
  readonly caller: Caller;
  readonly requestId: string;
}

/** Every attempt at a request, first to last. Null: the caller has no such request. */
export async function listAttempts(
  store: Store,
  { caller, requestId }: AttemptListing,
): Promise<AttemptView[] | null> {
  if (!isIssuedId('req', requestId)) return null;
  const request = await store.db
    .selectFrom('request')
    .select('id')
    .where('id', '=', requestId)
    .where(withinOrWorked(caller))
    .executeTakeFirst();
  if (!request) return null;
  await recordAccess(store.db, { caller, operation: 'requests.attempts', requestIds: [requestId] });
  return (await readAttempts(store, [requestId])).get(requestId) ?? [];
}
