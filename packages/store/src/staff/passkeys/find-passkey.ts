import type { Store } from '../../open-store.ts';
import { hashOfCredential, type KeptCredential, openCredential } from './kept-credential.ts';

export type FoundPasskey =
  | {
      readonly kind: 'found';
      readonly passkeyId: string;
      readonly staffId: string;
      readonly credential: KeptCredential;
    }
  | { readonly kind: 'passkey_unknown' };

/** Finds a passkey by its credential id, in base64url, before anybody is signed in. */
export async function findPasskey({ db, vault }: Store, credentialId: string): Promise<FoundPasskey> {
  const row = await db
    .selectFrom('passkey')
    .select(['id', 'staff_id', 'credential'])
    .where('hash', '=', hashOfCredential(vault, credentialId))
    .executeTakeFirst();
  if (!row) return { kind: 'passkey_unknown' };
  const credential = await openCredential(vault, row);
  return { kind: 'found', passkeyId: row.id, staffId: row.staff_id, credential };
}
