import type { Account } from '@insurance-verification/schema';
import type { Store } from '../open-store.ts';
import { type Page, type PageOptions, readPage } from '../page.ts';
import type { Caller } from './caller.ts';
import { toAccount } from './create-account.ts';
import { recordAccess } from './record-access.ts';

/** Every account, newest first. */
export async function listAccounts({ db }: Store, caller: Caller, page: PageOptions): Promise<Page<Account>> {
  const { rows, nextCursor } = await readPage(db.selectFrom('account').selectAll(), page);
  await recordAccess(db, { caller, operation: 'accounts.list' });
  return { items: rows.map(toAccount), nextCursor };
}
