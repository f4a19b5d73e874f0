import type { LegalHold } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { holdNames, toHold } from './hold-row.ts';

/** `ended`: also where it was before; then it stays as it was. */
export type EndedHold = { readonly kind: 'ended'; readonly hold: LegalHold } | { readonly kind: 'not_found' };

/** Ends a legal hold. What it kept is erased again as if it had not been; the retention within a day. */
export async function endHold(
  { db, vault }: Store,
  { caller, holdId }: { readonly caller: Caller; readonly holdId: string },
): Promise<EndedHold> {
  if (!isIssuedId('hold', holdId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<EndedHold> => {
    const row = await trx
      .updateTable('legal_hold')
      .set({
        ended_at: sql<Date>`coalesce(ended_at, now())`,
        ended_by: sql<string>`coalesce(ended_by, ${caller.keyId})`,
      })
      .where('id', '=', holdId)
      .where(within(caller, 'account_id'))
      .returningAll()
      .returning(holdNames)
      .executeTakeFirst();
    if (!row) return { kind: 'not_found' };
    const requestIds = row.request_id === null ? {} : { requestIds: [row.request_id] };
    await recordAccess(trx, { caller, operation: 'holds.end', subjectId: holdId, ...requestIds });
    return { kind: 'ended', hold: await toHold(vault, row) };
  });
}
