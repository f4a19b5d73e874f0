import type { ApiKeyList } from '@insurance-verification/schema';
import type { Store } from '../../open-store.ts';
import { type PageOptions, readPage } from '../../page.ts';
import { coveredOf } from '../../row-macs/covered-columns.ts';
import type { Caller } from '../caller.ts';
import { within } from '../reach.ts';
import { recordAccess } from '../record-access.ts';
import { toApiKey } from './api-key-view.ts';

/** The keys of the accounts within the caller's reach, including revoked ones, newest first. */
export async function listApiKeys(
  { db, vault }: Store,
  { caller, ...page }: PageOptions & { readonly caller: Caller },
): Promise<ApiKeyList> {
  const { rows, next_cursor } = await readPage(
    db
      .selectFrom('api_key')
      .selectAll()
      .select(coveredOf('api_key').as('covered'))
      .where(within(caller, 'account_id')),
    page,
  );
  await recordAccess(db, { caller, operation: 'keys.list' });
  return {
    items: rows.filter(({ covered }) => vault.macs.verifies('api_key', covered)).map(toApiKey),
    next_cursor,
  };
}
