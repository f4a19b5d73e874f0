import type { RequestModel } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { lockRequest } from '../../intake/lock-request.ts';
import { openRequestModel, requestModelColumns } from '../../intake/request-row.ts';
import type { Store } from '../../open-store.ts';
import { PROBE } from '../wake-when-due.ts';

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
    const queued = await trx
      .updateTable('delivery')
      .set({
        status: 'pending',
        reason: null,
        done_at: null,
        run_at: sql<Date>`now()`,
        round_attempt_count: 0,
        claim_count: 0,
      })
      .where('request_id', '=', requestId)
      .where('version', '=', request.version)
      .where('status', 'in', ['delivered', 'exhausted'])
      .returning('destination_host')
      .executeTakeFirst();
    if (queued) {
      // Names the host, so that its circuit breaker lets a probe through: a redelivery implies that the receiver is
      // back.
      await sql`select pg_notify('delivery_due', ${PROBE + queued.destination_host.toString('base64')})`.execute(
        trx,
      );
    }
    const row = await trx
      .selectFrom('request')
      .select(requestModelColumns)
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    return { kind: queued ? 'queued' : 'under_way', request: await openRequestModel(vault, row) };
  });
}
