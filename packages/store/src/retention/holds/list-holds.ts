import type { LegalHoldList } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { type PageOptions, readPage } from '../../page.ts';
import { holdNames, toHold } from './hold-row.ts';

/** The legal holds within the caller's reach, also those that were ended, newest first. */
export async function listHolds(
  { db, vault }: Store,
  { caller, ...page }: PageOptions & { readonly caller: Caller },
): Promise<LegalHoldList> {
  const { rows, next_cursor } = await readPage(
    db.selectFrom('legal_hold').selectAll().select(holdNames).where(within(caller, 'account_id')),
    page,
  );
  await recordAccess(db, { caller, operation: 'holds.list' });
  return { items: await Promise.all(rows.map((row) => toHold(vault, row))), next_cursor };
}
