import type { Erasure, ErasureList, ListedErasure } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isOnlyPerson, whyNotSecond } from '../../access/two-people.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import type { PageOptions } from '../../page.ts';
import { findRow } from '../../row-macs/covered-rows.ts';
import { isStanding, openErasures, selectErasures } from './erasure-row.ts';

/**
 * The erasures that were asked for and can be confirmed, and those that are done, newest first. One whose request lost its
 * data at the end of the retention waits for nobody any more.
 */
export async function listErasures(
  store: Store,
  { caller, limit, cursor }: PageOptions & { readonly caller: Caller },
): Promise<ErasureList> {
  const { db, vault } = store;
  const rows = await selectErasures(db)
    .select('request.erased_at as request_erased_at')
    .where(within(caller, 'request.account_id'))
    .where(isStanding)
    .$if(cursor !== undefined, (all) => all.where('erasure.id', '<', cursor ?? ''))
    .orderBy('erasure.id', 'desc')
    .limit(limit + 1)
    .execute();
  await recordAccess(db, { caller, operation: 'erasures.list' });
  const page = rows.slice(0, limit);
  const erasedAt = new Map(page.map(({ id, request_erased_at: at }) => [id, at?.toISOString() ?? null]));
  const items: ListedErasure[] = [];
  for (const erasure of openErasures(vault, page)) {
    const erased_at = erasure.erased_at ?? erasedAt.get(erasure.erasure_id) ?? null;
    const lapses_at = erased_at === null ? erasure.lapses_at : null;
    const may_confirm = erased_at === null && (await mayConfirm(store, caller, erasure));
    items.push({ ...erasure, erased_at, lapses_at, may_confirm });
  }
  return {
    items,
    next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** As the confirmation decides it: few wait at a time. */
async function mayConfirm(store: Store, caller: Caller, { erasure_id: id }: Erasure): Promise<boolean> {
  if (!isIssuedId('stf', caller.keyId)) return false;
  if (await isOnlyPerson(store, caller)) return true;
  const asker = await findRow(store, 'erasure', { is: { id } });
  return asker !== undefined && (await whyNotSecond(store, asker, caller)) === null;
}
