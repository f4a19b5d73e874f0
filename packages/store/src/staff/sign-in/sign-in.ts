import type { Store } from '../../open-store.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { findLink } from './find-link.ts';
import { maybeSecretToken } from './secret-token.ts';

export interface LinkUse {
  readonly token: string;
  readonly originSecret: string;
  /** The browser and system, in words; null when unknown. */
  readonly device: string | null;
  /** The client's address; null when unknown. */
  readonly address: string | null;
}

export type SignedIn =
  /** `token`: the new session's, only in this answer and never stored. */
  | { readonly kind: 'signed_in'; readonly token: string }
  /** Unknown, used, or older than its 30 minutes. */
  | { readonly kind: 'link_not_valid' };

/** Uses up a one-time link and starts a session for its person. Of two concurrent uses, one succeeds. */
export async function signIn(
  { db, vault }: Store,
  { token, originSecret, device, address }: LinkUse,
): Promise<SignedIn> {
  if (!maybeSecretToken(token)) return { kind: 'link_not_valid' };
  return db.transaction().execute(async (trx) => {
    const link = await findLink({ db: trx, vault }, token, { locks: true });
    if (!link) return { kind: 'link_not_valid' };
    await trx
      .deleteFrom('sign_in_link')
      .where('hash', '=', vault.index('sign_in_link.hash', token))
      .execute();
    const { madeBy: linkBy, ...person } = link;
    const session = { ...person, linkBy, way: 'link', originSecret, device, address } as const;
    return { kind: 'signed_in', token: await beginSession(trx, vault, session) };
  });
}
