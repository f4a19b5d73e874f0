import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { maybeSecretToken } from './secret-token.ts';

/** Whether a one-time link still works. Uses nothing up: its person has yet to sign in with the provider. */
export async function findInvitation(
  { db, vault }: Store,
  token: string,
): Promise<{ readonly kind: 'found' } | { readonly kind: 'link_not_valid' }> {
  if (!maybeSecretToken(token)) return { kind: 'link_not_valid' };
  const link = await db
    .selectFrom('sign_in_link')
    .innerJoin('staff', 'staff.id', 'sign_in_link.staff_id')
    .select('staff.id')
    .where('sign_in_link.hash', '=', vault.index('sign_in_link.hash', token))
    .where('sign_in_link.expires_at', '>', sql<Date>`now()`)
    .where('staff.ended_at', 'is', null)
    .executeTakeFirst();
  return { kind: link ? 'found' : 'link_not_valid' };
}
