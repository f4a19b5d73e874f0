import { sql } from 'kysely';
import { DEFAULT_ACCOUNT_ID } from '../../access/accounts/ensure-default-account.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { letCallsLapse } from '../../verification/work/calls/end-call.ts';
import { maybeSecretToken } from '../sign-in/secret-token.ts';

/** Ends the session with this token; does nothing when there is none, or it has ended. */
export async function signOut({ db, vault }: Store, token: string): Promise<void> {
  if (!maybeSecretToken(token)) return;
  await db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable('staff_session')
      .set({ ended_at: sql<Date>`now()` })
      .from('staff')
      .whereRef('staff.id', '=', 'staff_session.staff_id')
      .where('hash', '=', vault.index('staff_session.hash', token))
      .where('staff_session.ended_at', 'is', null)
      .returning(['staff_session.id as sessionId', 'staff.id as staffId', 'staff.account_id as accountId'])
      .executeTakeFirst();
    if (!ended) return;
    await letCallsLapse(trx, ended.staffId);
    const caller = { keyId: ended.staffId, accountId: ended.accountId ?? DEFAULT_ACCOUNT_ID };
    await recordAccess(trx, { caller, operation: 'sessions.signOut', subjectId: ended.sessionId });
  });
}
