import type { ErasureList } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import type { PageOptions } from '../../page.ts';
import { isStanding, openErasures, selectErasures } from './erasure-row.ts';

/** The erasures that were asked for and can be confirmed, and those that are done, newest first. */
export async function listErasures(
  { db, vault }: Store,
  { caller, limit, cursor }: PageOptions & { readonly caller: Caller },
): Promise<ErasureList> {
  const rows = await selectErasures(db)
    .where(within(caller, 'request.account_id'))
    .where(isStanding)
    .$if(cursor !== undefined, (all) => all.where('erasure.id', '<', cursor ?? ''))
    .orderBy('erasure.id', 'desc')
    .limit(limit + 1)
    .execute();
  await recordAccess(db, { caller, operation: 'erasures.list' });
  const page = rows.slice(0, limit);
  return {
    items: openErasures(vault, page),
    next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
