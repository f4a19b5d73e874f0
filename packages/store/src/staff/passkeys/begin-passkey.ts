import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { type KeptCredential, openCredential } from './kept-credential.ts';
import { sealChallenge } from './passkey-challenge.ts';

/** What a browser needs for a new passkey. */
export interface BegunPasskey {
  readonly challenge: Buffer;
  /** The challenge sealed, for `addPasskey` in the same session. */
  readonly token: string;
  /** The credentials that the person has already: no authenticator makes a second one. */
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
