import type { Account } from '@insurance-verification/schema';
import type { Store } from '../open-store.ts';
import { cutPage, type Page, type PageOptions } from '../page.ts';
import type { Caller } from './caller.ts';
import { toAccount } from './create-account.ts';
import { recordAccess } from './record-access.ts';

/** Every account, newest first. */
export async function listAccounts(
  { db }: Store,
  caller: Caller,
  { limit, cursor }: PageOptions,
): Promise<Page<Account>> {
  const found = await db
    .selectFrom('account')
    .selectAll()
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { rows, nextCursor } = cutPage(found, limit);
  await recordAccess(db, { caller, operation: 'accounts.list' });
  return { items: rows.map(toAccount), nextCursor };
}
