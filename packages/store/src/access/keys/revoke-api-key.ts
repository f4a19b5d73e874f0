import type { ApiKey } from '@insurance-verification/schema';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { changeRows, readNow } from '../../row-macs/covered-rows.ts';
import { withAccountName } from '../accounts/account-name.ts';
import type { Caller } from '../caller.ts';
import { within } from '../reach.ts';
import { recordAccess } from '../record-access.ts';
import { toApiKey } from './api-key-view.ts';

export type RevokedApiKey =
  | { readonly kind: 'revoked'; readonly key: ApiKey }
  /** No such key within the caller's reach. */
  | { readonly kind: 'not_found' };

/** Revokes a key. Idempotent: the time of the first revocation stays. */
export async function revokeApiKey(
  { db, vault }: Store,
  { caller, keyId }: { readonly caller: Caller; readonly keyId: string },
): Promise<RevokedApiKey> {
  if (!isIssuedId('key', keyId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<RevokedApiKey> => {
    const now = await readNow(trx);
    const [row] = await changeRows({ db: trx, vault }, 'api_key', {
      is: { id: keyId },
      where: within(caller, 'account_id'),
      set: ({ revoked_at }) => ({ revoked_at: revoked_at ?? now }),
    });
    if (!row) return { kind: 'not_found' };
    await recordAccess(trx, { caller, operation: 'keys.revoke', subjectId: keyId });
    return { kind: 'revoked', key: toApiKey(await withAccountName(trx, row), caller) };
  });
}
