import type { ApiKey } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { toApiKey } from './api-key-view.ts';
import type { Caller } from './caller.ts';
import { within } from './reach.ts';
import { recordAccess } from './record-access.ts';

/** Ends a key. Revoking it again changes nothing, the first time stays. Null when there is none of this id within the caller's reach. */
export async function revokeApiKey({ db }: Store, caller: Caller, keyId: string): Promise<ApiKey | null> {
  if (!isIssuedId('key', keyId)) return null;
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('api_key')
      .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
      .where('id', '=', keyId)
      .where(within(caller, 'account_id'))
      .returningAll()
      .executeTakeFirst();
    if (!row) return null;
    await recordAccess(trx, { caller, operation: 'keys.revoke', subjectId: keyId });
    return toApiKey(row);
  });
}
