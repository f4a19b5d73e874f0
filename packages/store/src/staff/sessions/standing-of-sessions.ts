import { DEFAULT_ACCOUNT_ID } from '../../access/accounts/ensure-default-account.ts';
import type { LiveKey } from '../../access/keys/find-api-key.ts';
import type { Store } from '../../open-store.ts';
import { coveredOf } from '../../row-macs/covered-columns.ts';
import { scopesOfRoles } from '../people/scopes-of-roles.ts';
import { sessionLives } from './session-lives.ts';

/** What the person of a live session may do at the moment. */
export type SessionStanding = Pick<LiveKey, 'scopes' | 'readScopes' | 'accountId'>;

/**
 * Those of the sessions that are live, with what their people may do: one statement for all that a process serves.
 * Asking is no use of them.
 */
export async function standingOfSessions(
  { keyDb, vault }: Store,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, SessionStanding>> {
  const rows = await keyDb
    .selectFrom('staff_session')
    .innerJoin('staff', 'staff.id', 'staff_session.staff_id')
    .select([coveredOf('staff_session').as('session'), coveredOf('staff').as('staff')])
    .where('staff_session.id', 'in', sessionIds)
    .where('staff.ended_at', 'is', null)
    .where(sessionLives)
    .execute();
  const standings = new Map<string, SessionStanding>();
  for (const row of rows) {
    const session = vault.macs.open('staff_session', row.session);
    const person = vault.macs.open('staff', row.staff);
    if (!session || person?.id !== session.staff_id) continue;
    const { roles, account_id: accountId } = person;
    standings.set(session.id, { ...scopesOfRoles(roles), accountId: accountId ?? DEFAULT_ACCOUNT_ID });
  }
  return standings;
}
