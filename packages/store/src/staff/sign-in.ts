import { sql } from 'kysely';
import { DEFAULT_ACCOUNT_ID } from '../access/accounts/ensure-default-account.ts';
import { recordAccess } from '../access/record-access.ts';
import { issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { createSecretToken, maybeSecretToken } from './secret-token.ts';
import { ABSOLUTE_HOURS } from './session-lives.ts';

export type SignedIn =
  /** `token`: the new session's, only in this answer and never stored. */
  | { readonly kind: 'signed_in'; readonly token: string }
  /** Unknown, used, or older than its 30 minutes. */
  | { readonly kind: 'link_not_valid' };

/** Uses up a one-time link and starts a session for its person. Of two concurrent uses, one succeeds. */
export async function signIn({ db, vault }: Store, linkToken: string): Promise<SignedIn> {
  if (!maybeSecretToken(linkToken)) return { kind: 'link_not_valid' };
  return db.transaction().execute(async (trx) => {
    const link = await trx
      .deleteFrom('sign_in_link')
      .using('staff')
      .whereRef('staff.id', '=', 'sign_in_link.staff_id')
      .where('sign_in_link.hash', '=', vault.index('sign_in_link.hash', linkToken))
      .where('sign_in_link.expires_at', '>', sql<Date>`now()`)
      .where('staff.ended_at', 'is', null)
      .returning(['staff.id as staffId', 'staff.account_id as accountId'])
      .executeTakeFirst();
    if (!link) return { kind: 'link_not_valid' };
    const token = createSecretToken();
    const sessionId = issueId('ses');
    await trx
      .insertInto('staff_session')
      .values({
        id: sessionId,
        staff_id: link.staffId,
        hash: vault.index('staff_session.hash', token),
        expires_at: sql<Date>`now() + make_interval(hours => ${ABSOLUTE_HOURS})`,
      })
      .execute();
    const caller = { keyId: link.staffId, accountId: link.accountId ?? DEFAULT_ACCOUNT_ID };
    await recordAccess(trx, { caller, operation: 'sessions.signIn', subjectId: sessionId });
    return { kind: 'signed_in', token };
  });
}
