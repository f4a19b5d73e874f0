import type { ApiKeyList } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { type PageOptions, readPage } from '../../page.ts';
import { coveredOf } from '../../row-macs/covered-columns.ts';
import { rightRows } from '../../row-macs/covered-rows.ts';
import { accountNameOf } from '../accounts/account-name.ts';
import type { Caller } from '../caller.ts';
import { within } from '../reach.ts';
import { recordAccess } from '../record-access.ts';
import { toApiKey } from './api-key-view.ts';

export interface KeyListing extends PageOptions {
  readonly caller: Caller;
  /** Only keys that work and were made by a person whose access has ended. */
  readonly onlyOfLeft?: boolean;
}

const creatorLeft = sql<boolean>`exists (
  select from staff where staff.id = api_key.created_by and staff.ended_at is not null)`;

const stillWorks = sql<boolean>`api_key.revoked_at is null
  and (api_key.expires_at is null or api_key.expires_at > now())`;

/** The keys of the accounts within the caller's reach, including revoked ones, newest first. */
export async function listApiKeys(
  { db, vault }: Store,
  { caller, onlyOfLeft = false, ...page }: KeyListing,
): Promise<ApiKeyList> {
  const { rows, next_cursor } = await readPage(
    db
      .selectFrom('api_key')
      .selectAll()
      .select(accountNameOf('account_id').as('account_name'))
      .select([coveredOf('api_key').as('covered'), creatorLeft.as('creator_left')])
      .where(within(caller, 'account_id'))
      .$if(onlyOfLeft, (all) => all.where(sql<boolean>`${creatorLeft} and ${stillWorks}`)),
    page,
  );
  await recordAccess(db, { caller, operation: 'keys.list' });
  return {
    items: rightRows(vault.macs, 'api_key', rows).map((row) => toApiKey(row, caller)),
    next_cursor,
  };
}
