import type { Erasure, ErasureReason } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { lockRequest } from '../../intake/lock-request.ts';
import { issueId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { standingHolds } from '../holds/standing-holds.ts';
import { isStanding, selectErasures, toErasure } from './erasure-row.ts';

export interface ErasureAsking {
  readonly caller: Caller;
  readonly requestId: string;
  readonly reason: ErasureReason;
}

export type AskedErasure =
  /** Also where it was asked for before, or is done: then it is as it was. */
  | { readonly kind: 'asked'; readonly erasure: Erasure }
  /** `erased`: its retention was over, and it has no data left. */
  | { readonly kind: 'not_found' | 'erased' }
  | { readonly kind: 'held'; readonly holdId: string };

/** Asks for the erasure of a request. Nothing is erased before a person confirms it (`confirmErasure`). */
export async function askErasure(store: Store, asking: ErasureAsking): Promise<AskedErasure> {
  const { caller, requestId, reason } = asking;
  return store.db.transaction().execute(async (trx): Promise<AskedErasure> => {
    const request = await lockRequest(trx, requestId, caller);
    if (!request) return { kind: 'not_found' };
    const standing = await findStanding(trx, requestId);
    if (standing) {
      await recordAccess(trx, { caller, operation: 'requests.erase', requestIds: [requestId] });
      return { kind: 'asked', erasure: standing };
    }
    if (request.erased_at) return { kind: 'erased' };
    const [hold] = await standingHolds(trx, { accountId: request.account_id, requestId });
    if (hold) return { kind: 'held', holdId: hold.hold_id };
    // One that lapsed is asked for anew.
    await trx
      .insertInto('erasure')
      .values({ id: issueId('ers'), request_id: requestId, reason, asked_by: caller.keyId })
      .onConflict((conflict) =>
        conflict
          .column('request_id')
          .doUpdateSet({ reason, asked_by: caller.keyId, asked_at: sql<Date>`now()`, wrong_count: 0 }),
      )
      .execute();
    await recordAccess(trx, {
      caller,
      operation: 'requests.erase',
      requestIds: [requestId],
      details: { before: null, after: { reason } },
    });
    const erasure = await findStanding(trx, requestId);
    if (!erasure) throw new Error('An erasure that was just asked for is gone.');
    return { kind: 'asked', erasure };
  });
}

async function findStanding(trx: Transaction<Tables>, requestId: string): Promise<Erasure | null> {
  const row = await selectErasures(trx)
    .where('erasure.request_id', '=', requestId)
    .where(isStanding)
    .executeTakeFirst();
  return row ? toErasure(row) : null;
}
