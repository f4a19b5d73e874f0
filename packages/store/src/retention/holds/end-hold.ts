import type { LegalHold } from '@insurance-verification/schema';
import type { Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { changeRows, findRow, insertRow, readNow } from '../../row-macs/covered-rows.ts';
import type { Tables } from '../../tables/tables.ts';
import { findHold, toHold } from './hold-row.ts';
import { findPlacing } from './standing-holds.ts';

/** `ended`: also where it was before; then it stays as it was. */
export type EndedHold = { readonly kind: 'ended'; readonly hold: LegalHold } | { readonly kind: 'not_found' };

interface HoldEnd {
  readonly caller: Caller;
  readonly holdId: string;
}

/**
 * Ends a legal hold. What it kept is erased again as if it had not been; the retention within a day. One whose row was
 * altered or removed in the database stands until it is ended here too: its row is then made again of what the audit
 * says of it, without its reason.
 */
export async function endHold({ db, vault }: Store, end: HoldEnd): Promise<EndedHold> {
  const { caller, holdId } = end;
  if (!isIssuedId('hold', holdId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<EndedHold> => {
    const inside = { db: trx, vault };
    const now = await readNow(trx);
    const [known] = await changeRows(inside, 'legal_hold', {
      is: { id: holdId },
      where: within(caller, 'account_id'),
      set: (row) => (row.ended_at ? {} : { ended_at: now, ended_by: caller.keyId }),
    });
    if (!known && !(await makeAgain(inside, end, now))) return { kind: 'not_found' };
    const hold = await findHold(trx, holdId);
    const requestIds = hold.request_id === null ? {} : { requestIds: [hold.request_id] };
    await recordAccess(trx, { caller, operation: 'holds.end', subjectId: holdId, ...requestIds });
    return { kind: 'ended', hold: await toHold(vault, hold) };
  });
}

/** Whether it was placed, within the caller's reach; its row is then there, and ended. */
async function makeAgain(
  inside: Pick<Store, 'vault'> & { readonly db: Transaction<Tables> },
  { caller, holdId }: HoldEnd,
  now: Date,
): Promise<boolean> {
  const { db } = inside;
  if (await findRow(inside, 'legal_hold', { is: { id: holdId } })) return false;
  const placing = await findPlacing(inside, holdId);
  if (!placing) return false;
  const { accountId, requestId, placedBy, placedAt } = placing;
  const reached = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where(within(caller, 'id'))
    .executeTakeFirst();
  if (!reached) return false;
  await db.deleteFrom('legal_hold').where('id', '=', holdId).execute();
  await insertRow(inside, 'legal_hold', {
    id: holdId,
    account_id: accountId,
    request_id: requestId,
    ended_at: now,
    ended_by: caller.keyId,
    reason: Buffer.alloc(0),
    placed_at: placedAt,
    placed_by: placedBy,
  });
  return true;
}
