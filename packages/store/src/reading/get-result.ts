import type { ResponseModel } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import { findRevealed, readRevealed } from './view/read-revealed.ts';

export type FoundResult =
  | { readonly kind: 'found'; readonly result: ResponseModel }
  /** `not_ready`: no result yet. `not_found`: no such request within the caller's reach. `erased`: its data is gone. */
  | { readonly kind: 'not_ready' | 'not_found' | 'erased' };

/** The current result, with the request's current state. */
export async function getResult(
  store: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<FoundResult> {
  const row = await findRevealed(store, { caller, requestId });
  if (!row) return { kind: 'not_found' };
  if (row.erased_at) return { kind: 'erased' };
  if (!row.body) return { kind: 'not_ready' };
  await recordAccess(store.db, { caller, operation: 'requests.result', requestIds: [requestId] });
  return { kind: 'found', result: await readRevealed(store, row) };
}
