import type { ResponseModel } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { findRevealed, readRevealed } from './read-revealed.ts';

export type RevealedRequest =
  | { readonly kind: 'found'; readonly revealed: ResponseModel }
  /** No such request within the caller's reach. */
  | { readonly kind: 'not_found' };

/** A request with its patient, and the result that stands: what a page shows after it was asked for. */
export async function revealRequest(
  store: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<RevealedRequest> {
  const row = await findRevealed(store, { caller, requestId });
  if (!row) return { kind: 'not_found' };
  await recordAccess(store.db, { caller, operation: 'requests.reveal', requestIds: [requestId] });
  return { kind: 'found', revealed: await readRevealed(store, row) };
}
