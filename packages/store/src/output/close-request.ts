import type { RequestModel } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { lockRequest } from '../intake/lock-request.ts';
import { openRequestModel, requestModelColumns } from '../intake/read-request.ts';
import type { Store } from '../open-store.ts';
import { applyFinding, openFoundRequest, type ResultFinding } from './apply-finding.ts';

export interface Closing {
  readonly caller: Caller;
  readonly requestId: string;
  readonly reason: string;
}

export type ClosedRequest =
  | { readonly kind: 'closed'; readonly request: RequestModel }
  | { readonly kind: 'not_found' | 'finished' | 'erased' };

/** Ends an unfinished request as `error_verifying` with the reason, delivered like any result. */
export async function closeRequest(
  store: Store,
  { caller, requestId, reason }: Closing,
): Promise<ClosedRequest> {
  return store.db.transaction().execute(async (trx): Promise<ClosedRequest> => {
    const request = await lockRequest(trx, requestId, caller);
    if (!request) return { kind: 'not_found' };
    if (request.erased_at) return { kind: 'erased' };
    if (request.outcome !== 'none') return { kind: 'finished' };
    const finding: ResultFinding = { outcome: 'error_verifying', errorReason: reason, insuranceData: [] };
    const opened = await openFoundRequest(store.vault, request);
    await applyFinding(trx, store, { request: opened, finding, caller, operation: 'requests.close' });
    const closed = await trx
      .selectFrom('request')
      .select(requestModelColumns)
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    return { kind: 'closed', request: await openRequestModel(store.vault, closed) };
  });
}
