import { DEFAULT_ACCOUNT_ID } from '../access/ensure-accounts.ts';
import { recordAccess } from '../access/record-access.ts';
import { othersThan } from '../access/two-people.ts';
import type { Store } from '../open-store.ts';
import {
  type BegunPasskey,
  credentialsOf,
  encryptChallenge,
  encryptPasskey,
  insertPasskey,
  type MadePasskey,
} from './passkeys.ts';
import { maybeSecretToken } from './secret-token.ts';
import { beginSession } from './sessions.ts';
import { findLink, findSignInLink, type LinkUse, useUpLink } from './sign-in-link.ts';

interface BegunInvitation extends BegunPasskey {
  readonly kind: 'begun';
  readonly staffId: string;
  readonly name: string;
}

/** What a browser needs to create the passkey of an invited person. Does not use up the invitation. */
export async function beginInvitation(
  store: Store,
  token: string,
): Promise<BegunInvitation | { readonly kind: 'link_not_valid' }> {
  const link = await findSignInLink(store, token);
  if (link.kind !== 'found') return link;
  const { staffId, name } = link;
  const known = await credentialsOf(store, staffId);
  const { challenge, encrypted } = await encryptChallenge(store, { invitation: token });
  return { kind: 'begun', staffId, name, challenge, token: encrypted, known };
}

interface TakenInvitation extends LinkUse {
  readonly passkey: MadePasskey;
}

type SignedInByInvitation =
  /** `token`: the new session's, only in this answer and never stored. */
  | { readonly kind: 'signed_in'; readonly token: string }
  /**
   * `link_not_valid`: the invitation is unknown, used or expired. `taken`: the credential is registered already.
   * `too_many`: the person has as many passkeys as a person may have. The invitation stays in both cases.
   */
  | { readonly kind: 'link_not_valid' | 'taken' | 'too_many' };

/**
 * Uses up an invitation: registers the passkey that its person made, and begins their session. Of two concurrent uses,
 * one succeeds. The passkey keeps who made the invitation: see `two-people.ts`.
 */
export async function signInByInvitation(
  store: Store,
  { token, passkey, originSecret, device, address }: TakenInvitation,
): Promise<SignedInByInvitation> {
  const { db, vault } = store;
  const found = maybeSecretToken(token) && (await findLink(store, token, { locks: false }));
  if (!found) return { kind: 'link_not_valid' };
  const { staffId, accountId, madeBy } = found;
  const linkBy = othersThan(staffId, madeBy);
  const row = await encryptPasskey(vault, passkey, { staffId, linkBy: linkBy ?? [] });
  return db.transaction().execute(async (trx): Promise<SignedInByInvitation> => {
    const inside = { db: trx, vault };
    if (!(await findLink(inside, token, { locks: true }))) return { kind: 'link_not_valid' };
    const inserted = await insertPasskey(trx, row);
    if (inserted.kind !== 'added') return inserted;
    await useUpLink(inside, token);
    await recordAccess(trx, {
      caller: { keyId: staffId, accountId: accountId ?? DEFAULT_ACCOUNT_ID },
      operation: 'passkeys.add',
      subjectId: row.id,
    });
    const browser = { originSecret, device, address };
    const session = { staffId, accountId, linkBy, isInvited: true, way: 'passkey', ...browser } as const;
    return { kind: 'signed_in', token: await beginSession(trx, vault, session) };
  });
}
