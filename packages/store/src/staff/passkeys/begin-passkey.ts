import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { type KeptCredential, openCredential } from './kept-credential.ts';
import { sealChallenge } from './passkey-challenge.ts';

/** What a browser needs to create a passkey (`PublicKeyCredentialCreationOptions`). */
export interface BegunPasskey {
  readonly challenge: Buffer;
  /** The sealed challenge, which the browser returns to `passkeys.add` in the same session. */
  readonly token: string;
  /** The credentials of the person, for `excludeCredentials`: an authenticator that has one creates no second. */
  readonly known: readonly KeptCredential[];
}

export async function beginPasskey(
  store: Store,
  { caller, sessionId }: { readonly caller: Caller; readonly sessionId: string },
): Promise<BegunPasskey> {
  const rows = await store.db
    .selectFrom('passkey')
    .select(['id', 'staff_id', 'credential'])
    .where('staff_id', '=', caller.keyId)
    .execute();
  const known = await Promise.all(rows.map((row) => openCredential(store.vault, row)));
  const { challenge, sealed } = await sealChallenge(store, { sessionId });
  await recordAccess(store.db, { caller, operation: 'passkeys.begin' });
  return { challenge, token: sealed, known };
}
