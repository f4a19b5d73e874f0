import type { RequestModel } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { EVERYWHERE } from '../access/reach.ts';
import { type LockedRequest, lockRequest } from '../intake/lock-request.ts';
import { openRequestModel, requestModelColumns } from '../intake/read-request.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { type Application, applyFinding, openLocked, type ResultFinding } from './apply-findings.ts';

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
    await closeLocked(trx, store, { request, reason, caller, operation: 'requests.close' });
    const closed = await trx
      .selectFrom('request')
      .select(requestModelColumns)
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    return { kind: 'closed', request: await openRequestModel(store.vault, closed) };
  });
}

/** As {@link closeRequest}, by the service itself, unless the request is finished by now or a verifier works on it. */
export async function closeUnleased(
  store: Store,
  { requestId, reason, operation }: Omit<Closing, 'caller'> & Pick<Application, 'operation'>,
): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    const request = await lockRequest(trx, requestId, EVERYWHERE);
    if (!request || request.erased_at || request.outcome !== 'none' || request.lease_holds) return;
    await closeLocked(trx, store, { request, reason, caller: null, operation });
  });
}

interface LockedClosing extends Pick<Application, 'caller' | 'operation'> {
  readonly request: LockedRequest;
  readonly reason: string;
}

async function closeLocked(
  trx: Transaction<Tables>,
  store: Store,
  { request, reason, caller, operation }: LockedClosing,
): Promise<void> {
  const finding: ResultFinding = { outcome: 'error_verifying', errorReason: reason, insuranceData: [] };
  const opened = await openLocked(store.vault, request);
  await applyFinding(trx, store, { request: opened, finding, caller, operation });
  if (request.batch_id !== null)
    await sql`
      with closed as (update batch_row set closed = true where request_id = ${request.id} returning batch_id)
      insert into batch_change (batch_id, place, count)
      select batch_id, place, count from closed cross join (values ('failed', -1), ('closed', 1)) as moved (place, count)`.execute(
      trx,
    );
}
