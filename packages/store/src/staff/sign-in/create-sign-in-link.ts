import type { Caller } from '../../access/caller.ts';
import { EVERYWHERE, within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { actorsOf } from '../../access/two-people.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { findRow, insertRow, readNow } from '../../row-macs/covered-rows.ts';
import { createSecretToken } from './secret-token.ts';

/**
 * Minutes for which a link is valid: one that signs in by itself, or one that only says whom the provider's sign-in is
 * to be.
 */
const LINK_MINUTES = { signsIn: 30, invites: 7 * 24 * 60 };

interface SignInLink {
  /** 256 bits. Only in this answer, never stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

export interface LinkOrder {
  readonly caller: Caller | null;
  readonly staffId: string;
  /** `invites`: a provider signs people in, and the link says whom. */
  readonly purpose: 'signsIn' | 'invites';
}

export type CreatedLink =
  | ({ readonly kind: 'created' } & SignInLink)
  /** No such person within reach, or one whose access has ended. */
  | { readonly kind: 'not_found' };

/**
 * Creates a link that signs a person in once, within 30 minutes, or invites them for a week. Earlier links stay valid. The caller is null for the
 * service itself, which prints one for its first person at the start.
 */
export async function createSignInLink(
  { db, vault }: Store,
  { caller, staffId, purpose }: LinkOrder,
): Promise<CreatedLink> {
  if (!isIssuedId('stf', staffId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx) => {
    // Locked, so that a link created while the person's access ends does not outlive it.
    const inside = { db: trx, vault };
    const member = await findRow(inside, 'staff', {
      is: { id: staffId, ended_at: null },
      where: within(caller ?? EVERYWHERE, 'account_id'),
      lock: 'for update',
    });
    if (!member) return { kind: 'not_found' };
    const token = createSecretToken();
    const now = await readNow(trx);
    const expiresAt = new Date(now.getTime() + LINK_MINUTES[purpose] * 60_000);
    const hash = vault.index('sign_in_link.hash', token);
    await insertRow(inside, 'sign_in_link', {
      hash,
      staff_id: staffId,
      expires_at: expiresAt,
      made_by: caller && (await actorsOf(inside, caller)),
    });
    await recordAccess(trx, { caller, operation: 'staff.link', subjectId: staffId });
    return { kind: 'created', token, expiresAt };
  });
}
