import type {
  Delivery,
  HeldOutputDetail,
  RequestModel,
  ResponseModel,
  VerificationAttempt,
} from '@insurance-verification/schema';
import {
  type Caller,
  findApiKey,
  getHeldOutput,
  getRequest,
  getResult,
  listAttempts,
  listDeliveries,
  type LiveKey,
  type Store,
} from '../../src/index.ts';

/** A request's current state; fails the test when none is within the caller's reach. */
export async function theRequest(store: Store, caller: Caller, requestId: string): Promise<RequestModel> {
  const found = await getRequest(store, { caller, requestId });
  if (found.kind !== 'found') throw new Error(`Request ${requestId}: ${found.kind}.`);
  return found.request;
}

/** The current result; fails the test when there is none. */
export async function theResult(store: Store, caller: Caller, requestId: string): Promise<ResponseModel> {
  const found = await getResult(store, { caller, requestId });
  if (found.kind !== 'found') throw new Error(`The result of ${requestId}: ${found.kind}.`);
  return found.result;
}

/** A complete held output, settled or not; fails the test when there is none. */
export async function theHeldOutput(store: Store, caller: Caller, heldId: string): Promise<HeldOutputDetail> {
  const found = await getHeldOutput(store, { caller, heldId });
  if (found.kind !== 'found') throw new Error(`Held output ${heldId}: ${found.kind}.`);
  return found.held;
}

/** The complete attempts at a request, first to last. */
export async function theAttempts(
  store: Store,
  caller: Caller,
  requestId: string,
): Promise<VerificationAttempt[]> {
  const listed = await listAttempts(store, { caller, requestId, withInternals: true });
  if (listed.kind !== 'found') throw new Error(`The attempts at ${requestId}: ${listed.kind}.`);
  return listed.attempts;
}

/** A request's deliveries, each with its attempts. */
export async function theDeliveries(store: Store, caller: Caller, requestId: string): Promise<Delivery[]> {
  const listed = await listDeliveries(store, { caller, requestId });
  if (listed.kind !== 'found') throw new Error(`The deliveries of ${requestId}: ${listed.kind}.`);
  return listed.deliveries;
}

/** The live key with this text; null where there is none. */
export async function theKey(store: Store, text: string): Promise<LiveKey | null> {
  const found = await findApiKey(store, text);
  return found.kind === 'found' ? found.key : null;
}
