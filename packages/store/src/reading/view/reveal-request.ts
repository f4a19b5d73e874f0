import type { ResponseModel } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { findRevealed, readRevealed } from './read-revealed.ts';

export type RevealedRequest =
  | { readonly kind: 'found'; readonly revealed: ResponseModel }
  /** `not_found`: no such request within the caller's reach. `erased`: its data is gone. */
  | { readonly kind: 'not_found' | 'erased' };

/** A request with its patient, and the result that stands: what a page shows after it was asked for. */
export async function revealRequest(
  store: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<RevealedRequest> {
  const row = await findRevealed(store, { caller, requestId });
  if (!row) return { kind: 'not_found' };
  if (row.erased_at) return { kind: 'erased' };
  await recordAccess(store.db, { caller, operation: 'requests.reveal', requestIds: [requestId] });
  return { kind: 'found', revealed: await readRevealed(store, row) };
}
