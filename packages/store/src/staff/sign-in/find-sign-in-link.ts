import type { Store } from '../../open-store.ts';
import { findLink } from './find-link.ts';
import { maybeSecretToken } from './secret-token.ts';

export type FoundLink =
  /** `accountName`: null for a person of the platform. */
  | {
      readonly kind: 'found';
      readonly staffId: string;
      readonly name: string;
      readonly accountName: string | null;
    }
  /** Unknown, used, too old, altered, or of a person whose access has ended. */
  | { readonly kind: 'link_not_valid' };

/** Whom a one-time link signs in or invites. Uses nothing up: the person who opened it has yet to agree. */
export async function findSignInLink(store: Store, token: string): Promise<FoundLink> {
  if (!maybeSecretToken(token)) return { kind: 'link_not_valid' };
  const link = await findLink(store, token, { locks: false });
  if (!link) return { kind: 'link_not_valid' };
  const { staffId } = link;
  const { name, accountName } = await store.db
    .selectFrom('staff')
    .leftJoin('account', 'account.id', 'staff.account_id')
    .select(['staff.name', 'account.name as accountName'])
    .where('staff.id', '=', staffId)
    .executeTakeFirstOrThrow();
  return {
    kind: 'found',
    staffId,
    name: JSON.parse(name) as string,
    accountName: accountName && (JSON.parse(accountName) as string),
  };
}
