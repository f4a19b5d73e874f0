import type { LegalHold } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { lockRequest } from '../../intake/lock-request.ts';
import { isIssuedId, issueId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { insertRow } from '../../row-macs/covered-rows.ts';
import type { Tables } from '../../tables/tables.ts';
import { findHold, holdPlace, toHold } from './hold-row.ts';

export interface HoldPlacing {
  readonly caller: Caller;
  /** Of what it covers: a request, or an account as a whole. */
  readonly covers: { readonly requestId: string } | { readonly accountId: string };
  readonly reason: string;
}

export type PlacedHold =
  | { readonly kind: 'placed'; readonly hold: LegalHold }
  /** `not_found`: no such request or account within the caller's reach. `erased`: there is nothing left to keep. */
  | { readonly kind: 'not_found' | 'erased' };

/** Places a legal hold. An erasure that is under way ends before it, or is refused. */
export async function placeHold(store: Store, { caller, covers, reason }: HoldPlacing): Promise<PlacedHold> {
  return store.db.transaction().execute(async (trx): Promise<PlacedHold> => {
    const found = await lockCovered(trx, caller, covers);
    if (typeof found === 'string') return { kind: found };
    const { accountId, requestId } = found;
    const ref = { id: issueId('hold'), request_id: requestId };
    const sealed = await store.vault.seal({ accountId }, holdPlace(ref), JSON.stringify(reason));
    const inside = { db: trx, vault: store.vault };
    await insertRow(inside, 'legal_hold', {
      ...ref,
      account_id: accountId,
      ended_at: null,
      ended_by: null,
      reason: sealed,
      placed_by: caller.keyId,
    });
    await recordAccess(trx, {
      caller,
      operation: 'holds.place',
      subjectId: ref.id,
      ...(requestId !== null && { requestIds: [requestId] }),
      // Where the row is altered or gone, it is known from here what is held: see `keepingHolds`.
      details: { before: null, after: { account_id: accountId, request_id: requestId } },
    });
    return { kind: 'placed', hold: await toHold(store.vault, await findHold(trx, ref.id)) };
  });
}

async function lockCovered(trx: Transaction<Tables>, caller: Caller, covers: HoldPlacing['covers']) {
  if ('requestId' in covers) {
    const request = await lockRequest(trx, covers.requestId, caller);
    if (!request) return 'not_found';
    return request.erased_at ? 'erased' : { accountId: request.account_id, requestId: request.id };
  }
  const { accountId } = covers;
  if (!isIssuedId('acct', accountId)) return 'not_found';
  const { rows } = await sql`
    select from account where id = ${accountId} and ${within(caller, 'id')} for no key update`.execute(trx);
  return rows.length === 0 ? 'not_found' : { accountId, requestId: null };
}
