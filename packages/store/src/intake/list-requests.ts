import type { RequestState } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import type { RequestModel } from '@insurance-verification/schema';
import type { Store } from '../open-store.ts';
import { cutPage, type Page, type PageOptions } from '../page.ts';
import { openRequestModel, requestModelColumns } from '../request-row.ts';
import { showsState } from './shows-state.ts';

export interface RequestListOptions extends PageOptions {
  readonly state?: RequestState | undefined;
}

/** The account's requests, newest first. Keyset paging: what arrives meanwhile moves nothing. */
export async function listRequests(
  { db, vault }: Store,
  caller: Caller,
  { limit, cursor, state }: RequestListOptions,
): Promise<Page<RequestModel>> {
  const found = await db
    .selectFrom('request')
    .select(requestModelColumns)
    .where('account_id', '=', caller.accountId)
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor ?? ''))
    .$if(state !== undefined, (query) => query.where(showsState(state ?? 'pending')))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { rows, nextCursor } = cutPage(found, limit);
  await recordAccess(db, { caller, operation: 'requests.list', requestIds: rows.map(({ id }) => id) });
  return { items: await Promise.all(rows.map((row) => openRequestModel(vault, row))), nextCursor };
}
