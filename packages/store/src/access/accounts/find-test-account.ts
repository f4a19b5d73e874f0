import type { Store } from '../../open-store.ts';
import type { Caller } from '../caller.ts';
import { within } from '../reach.ts';

/** The oldest test account within the caller's reach that is not suspended. */
export async function findTestAccount(
  { db }: Store,
  { caller }: { readonly caller: Caller },
): Promise<{ readonly kind: 'found'; readonly accountId: string } | { readonly kind: 'not_found' }> {
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('mode', '=', 'test')
    .where('suspended_at', 'is', null)
    .where(within(caller, 'id'))
    .orderBy('id')
    .executeTakeFirst();
  return account ? { kind: 'found', accountId: account.id } : { kind: 'not_found' };
}
