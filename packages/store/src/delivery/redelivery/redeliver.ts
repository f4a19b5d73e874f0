import type { RequestModel } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { lockRequest } from '../../intake/lock-request.ts';
import { openRequestModel, requestModelColumns } from '../../intake/request-row.ts';
import type { Store } from '../../open-store.ts';
import { notifyHosts, startRound } from './start-round.ts';

export interface Redelivery {
  readonly caller: Caller;
  readonly requestId: string;
}

export type Redelivered =
  /** The request's new view. `under_way`: a round was already running and is left alone. */
  | { readonly kind: 'queued' | 'under_way'; readonly request: RequestModel }
  /** `erased`: the message is gone. */
  | { readonly kind: 'no_result' | 'not_found' | 'erased' };

/**
 * Starts a new round of attempts of the same message, same id and bytes. The request keeps showing the last round's
 * outcome until this one ends.
 */
export async function redeliver(
  { db, vault }: Store,
  { caller, requestId }: Redelivery,
): Promise<Redelivered> {
  return db.transaction().execute(async (trx): Promise<Redelivered> => {
    const request = await lockRequest(trx, requestId, caller);
    if (!request) return { kind: 'not_found' };
    if (request.erased_at) return { kind: 'erased' };
    if (request.version === 0) return { kind: 'no_result' };
    await recordAccess(trx, { caller, operation: 'requests.redeliver', requestIds: [requestId] });
    const [queued] = await startRound(trx, [{ requestId, version: request.version }]);
    if (queued) await notifyHosts(trx, [queued.host]);
    const row = await trx
      .selectFrom('request')
      .select(requestModelColumns)
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    return { kind: queued ? 'queued' : 'under_way', request: await openRequestModel(vault, row) };
  });
}
