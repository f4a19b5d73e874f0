import type { RequestModel } from '@insurance-verification/schema';
import { type Caller, getRequest, type Store } from '../src/index.ts';

/** A request as it stands; the test fails where there is none within the caller's reach. */
export async function theRequest(store: Store, caller: Caller, requestId: string): Promise<RequestModel> {
  const found = await getRequest(store, { caller, requestId });
  if (found.kind !== 'found') throw new Error(`Request ${requestId}: ${found.kind}.`);
  return found.request;
}
