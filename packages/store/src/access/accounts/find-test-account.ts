import type { Store } from '../../open-store.ts';
import { readRows } from '../../row-macs/covered-rows.ts';
import type { Caller } from '../caller.ts';
import { within } from '../reach.ts';

/** The oldest test account within the caller's reach that is not suspended, or the named one. */
export async function findTestAccount(
  store: Store,
  { caller, accountId: named }: { readonly caller: Caller; readonly accountId?: string | undefined },
): Promise<{ readonly kind: 'found'; readonly accountId: string } | { readonly kind: 'not_found' }> {
  const accounts = await readRows(store, 'account', {
    is: { mode: 'test', suspended_at: null },
    where: within(caller, 'id'),
  });
  const ids = accounts.map(({ id }) => id).filter((id) => named === undefined || id === named);
  const [accountId] = ids.toSorted();
  return accountId === undefined ? { kind: 'not_found' } : { kind: 'found', accountId };
}
