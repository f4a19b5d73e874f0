import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';

/**
 * Deletes a passkey of the caller. Sessions that it began stay live; the person ends those in the list of sessions.
 * `not_found`: none of the caller's has this id.
 */
export async function endPasskey(
  { db }: Store,
  { caller, passkeyId }: { readonly caller: Caller; readonly passkeyId: string },
): Promise<{ readonly kind: 'ended' | 'not_found' }> {
  if (!isIssuedId('pky', passkeyId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx) => {
    const ended = await trx
      .deleteFrom('passkey')
      .where('id', '=', passkeyId)
      .where('staff_id', '=', caller.keyId)
      .returning('id')
      .executeTakeFirst();
    if (!ended) return { kind: 'not_found' };
    await recordAccess(trx, { caller, operation: 'passkeys.end', subjectId: passkeyId });
    return { kind: 'ended' };
  });
}
