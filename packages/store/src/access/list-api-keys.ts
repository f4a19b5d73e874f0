import type { ApiKey } from '@insurance-verification/schema';
import type { Store } from '../open-store.ts';
import { cutPage, type Page, type PageOptions } from '../page.ts';
import { toApiKey } from './api-key-view.ts';
import type { Caller } from './caller.ts';
import { recordAccess } from './record-access.ts';

/** Every account's keys, revoked ones too, newest first. */
export async function listApiKeys(
  { db }: Store,
  caller: Caller,
  { limit, cursor }: PageOptions,
): Promise<Page<ApiKey>> {
  const found = await db
    .selectFrom('api_key')
    .selectAll()
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { rows, nextCursor } = cutPage(found, limit);
  await recordAccess(db, { caller, operation: 'keys.list' });
  return { items: rows.map(toApiKey), nextCursor };
}
