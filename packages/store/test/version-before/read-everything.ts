import {
  type Caller,
  countFacts,
  getRequest,
  getResult,
  listAudit,
  listAttempts,
  listDeliveries,
  listHeldOutputs,
  listRequests,
  measureDeliveryQueue,
  measureWork,
  refreshQueueDepths,
  removeExpired,
  type Store,
} from '../../src/index.ts';
import { aPlatformCaller, type StoredRequest } from '../ground/stages.ts';
import { ROUTE } from '../ground/work-queue.ts';

/** All that is read about a request, and the lists and figures that it is part of. */
export async function readEverything(store: Store, caller: Caller, request: StoredRequest): Promise<void> {
  const named = { caller, requestId: request.request_id };
  await getRequest(store, named);
  await getResult(store, named);
  await listDeliveries(store, named);
  await listAttempts(store, { ...named, withInternals: true });
  for (const state of [undefined, 'pending', 'complete', 'error_sending_webhook'] as const)
    await listRequests(store, { caller, limit: 10, state });
  await listHeldOutputs(store, { caller: aPlatformCaller(), limit: 10 });
  await listAudit(store, { caller: aPlatformCaller(), limit: 10 });
  await countFacts(store, { spanSeconds: 3600 * 24, settledSeconds: 0 });
  await refreshQueueDepths(store, { routes: [ROUTE] });
  await measureDeliveryQueue(store);
  await measureWork(store, { routes: [ROUTE], mode: 'live' });
  await removeExpired(store);
}
