import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { type AttemptView, readAttempts } from './read-attempts.ts';

export interface AttemptListing {
  readonly caller: Caller;
  /** An operator reads any account's. */
  readonly acrossAccounts: boolean;
  readonly requestId: string;
}

/** Every attempt at a request, first to last. Null: the caller has no such request. */
export async function listAttempts(
  store: Store,
  { caller, acrossAccounts, requestId }: AttemptListing,
): Promise<AttemptView[] | null> {
  if (!isIssuedId('req', requestId)) return null;
  const request = await store.db
    .selectFrom('request')
    .select('id')
    .where('id', '=', requestId)
    .$if(!acrossAccounts, (query) => query.where('account_id', '=', caller.accountId))
    .executeTakeFirst();
  if (!request) return null;
  await recordAccess(store.db, { caller, operation: 'requests.attempts', requestIds: [requestId] });
  return (await readAttempts(store, [requestId])).get(requestId) ?? [];
}
