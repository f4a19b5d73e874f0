import type { PasskeyList } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { toPasskey } from './passkey-view.ts';

/** The caller's passkeys, newest first; all at once, since there are at most `PASSKEY_COUNT_MAX`. */
export async function listPasskeys({ db }: Store, caller: Caller): Promise<PasskeyList> {
  const rows = await db
    .selectFrom('passkey')
    .select(['id', 'name', 'created_at', 'used_at'])
    .where('staff_id', '=', caller.keyId)
    .orderBy('id', 'desc')
    .execute();
  await recordAccess(db, { caller, operation: 'passkeys.list' });
  return { items: rows.map(toPasskey) };
}
