import type { VerificationAttempt } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { findReached } from '../../access/reaches-request.ts';
import { recordAccess } from '../../access/record-access.ts';
import { forProvider, readAttempts } from '../../evidence/attempt-evidence.ts';
import type { Store } from '../../open-store.ts';

export interface AttemptListing {
  readonly caller: Caller;
  readonly requestId: string;
  /** Includes the notes and the verifiers' keys, which are for colleagues and not for the provider. */
  readonly withInternals: boolean;
}

/** `not_found`: the caller has no such request. `erased`: its data is gone. */
export type ListedAttempts =
  | { readonly kind: 'found'; readonly attempts: VerificationAttempt[] }
  | { readonly kind: 'not_found' | 'erased' };

/** Every attempt at a request, first to last. */
export async function listAttempts(
  store: Store,
  { caller, requestId, withInternals }: AttemptListing,
): Promise<ListedAttempts> {
  const reached = await findReached(store, { caller, requestId });
  if (reached !== 'found') return { kind: reached };
  await recordAccess(store.db, { caller, operation: 'requests.attempts', requestIds: [requestId] });
  const attempts = (await readAttempts(store, [requestId])).get(requestId) ?? [];
  return { kind: 'found', attempts: withInternals ? attempts : forProvider(attempts) };
}
