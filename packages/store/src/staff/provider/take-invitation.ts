import type { Transaction } from 'kysely';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { findLink } from '../sign-in/find-link.ts';

/** The invited person of a one-time link. */
interface Invited {
  readonly id: string;
  readonly account_id: string | null;
  readonly ended_at: null;
  /** Who made the invitation. */
  readonly linkBy: string[] | null;
}

/**
 * Deletes the one-time link of an invitation and returns its person.
 * @param knownId the person whom the identity belongs to already; undefined for a new identity.
 */
export async function takeInvitation(
  { vault }: Store,
  trx: Transaction<Tables>,
  token: string,
  knownId: string | undefined,
): Promise<Invited | 'link_not_valid' | 'identity_taken'> {
  const hash = vault.index('sign_in_link.hash', token);
  const link = await findLink({ db: trx, vault }, token, { locks: true });
  if (!link) return 'link_not_valid';
  if (knownId !== undefined && knownId !== link.staffId) return 'identity_taken';
  await trx.deleteFrom('sign_in_link').where('hash', '=', hash).execute();
  return { id: link.staffId, account_id: link.accountId, ended_at: null, linkBy: link.madeBy };
}
