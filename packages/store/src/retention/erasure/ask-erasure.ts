import type { Erasure, ErasureReason } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { askerOf } from '../../access/two-people.ts';
import { lockRequest } from '../../intake/lock-request.ts';
import { issueId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { insertRow, readNow } from '../../row-macs/covered-rows.ts';
import { standingHolds } from '../holds/standing-holds.ts';
import { isStanding, openErasures, selectErasures } from './erasure-row.ts';

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
    const inside = { db: trx, vault: store.vault };
    const request = await lockRequest(trx, requestId, caller);
    if (!request) return { kind: 'not_found' };
    const standing = await findStanding(inside, requestId);
    if (standing) {
      await recordAccess(trx, { caller, operation: 'requests.erase', requestIds: [requestId] });
      return { kind: 'asked', erasure: standing };
    }
    if (request.erased_at) return { kind: 'erased' };
    const [hold] = await standingHolds(inside, { accountId: request.account_id, requestId });
    if (hold) return { kind: 'held', holdId: hold.hold_id };
    // One that lapsed, or was altered.
    await trx.deleteFrom('erasure').where('request_id', '=', requestId).execute();
    const { id } = await insertRow(inside, 'erasure', {
      id: issueId('ers'),
      request_id: requestId,
      reason,
      ...(await askerOf(inside, caller)),
      asked_at: await readNow(trx),
      wrong_count: 0,
      confirmed_by: null,
      erased_at: null,
    });
    await recordAccess(trx, {
      caller,
      operation: 'requests.erase',
      requestIds: [requestId],
      subjectId: id,
      details: { before: null, after: { reason } },
    });
    const erasure = await findStanding(inside, requestId);
    if (!erasure) throw new Error('An erasure that was just asked for is gone.');
    return { kind: 'asked', erasure };
  });
}

async function findStanding(
  { db, vault }: Pick<Store, 'db' | 'vault'>,
  requestId: string,
): Promise<Erasure | undefined> {
  const rows = await selectErasures(db)
    .where('erasure.request_id', '=', requestId)
    .where(isStanding)
    .execute();
  return openErasures(vault, rows)[0];
}
