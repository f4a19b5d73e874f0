import type { Store } from '../../open-store.ts';
import { findLink } from './find-link.ts';
import { maybeSecretToken } from './secret-token.ts';

/** Whether a one-time link still works. Uses nothing up: its person has yet to sign in with the provider. */
export async function findInvitation(
  store: Store,
  token: string,
): Promise<{ readonly kind: 'found' } | { readonly kind: 'link_not_valid' }> {
  if (!maybeSecretToken(token)) return { kind: 'link_not_valid' };
  const link = await findLink(store, token, { locks: false });
  return { kind: link ? 'found' : 'link_not_valid' };
}
