import type { AccountList } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { type PageOptions, readPage } from '../../page.ts';
import { type Covered, coveredOf } from '../../row-macs/covered-columns.ts';
import { rightRows } from '../../row-macs/covered-rows.ts';
import type { Caller } from '../caller.ts';
import { within } from '../reach.ts';
import { recordAccess } from '../record-access.ts';
import { CONFIRMABLE_DAYS } from '../two-people.ts';
import { toAccount } from './create-account.ts';

const askedRetention = sql<Covered | null>`(
  select ${coveredOf('retention_asking')} from retention_asking
  where retention_asking.account_id = account.id
    and asked_at > now() - make_interval(days => ${sql.lit(CONFIRMABLE_DAYS)}))`;

/** The accounts within the caller's reach, newest first. */
export async function listAccounts(
  { db, vault }: Store,
  { caller, ...page }: PageOptions & { readonly caller: Caller },
): Promise<AccountList> {
  const { rows, next_cursor } = await readPage(
    db
      .selectFrom('account')
      .selectAll()
      .select(coveredOf('account').as('covered'))
      .select(askedRetention.as('asked'))
      .where(within(caller, 'id')),
    page,
  );
  await recordAccess(db, { caller, operation: 'accounts.list' });
  return {
    items: rightRows(vault.macs, 'account', rows).map((row) =>
      toAccount(row, (row.asked && vault.macs.open('retention_asking', row.asked)?.days) ?? null),
    ),
    next_cursor,
  };
}
