import type { StaffSessionList } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { coveredOf } from '../../row-macs/covered-columns.ts';
import { idleEndsAt, sessionLives } from './session-lives.ts';

export interface SessionListing {
  readonly caller: Caller;
  /** All sessions within reach, for an admin; otherwise the caller's own. */
  readonly everyones: boolean;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The live sessions, newest first. */
export async function listSessions(
  { db, vault }: Store,
  { caller, everyones, limit, cursor }: SessionListing,
): Promise<StaffSessionList> {
  const rows = await db
    .selectFrom('staff_session')
    .innerJoin('staff', 'staff.id', 'staff_session.staff_id')
    .select(['staff_session.id', 'staff.name', 'staff_session.created_at', 'used_at', 'device'])
    .select(idleEndsAt.as('idle_ends_at'))
    .select([coveredOf('staff_session').as('session'), coveredOf('staff').as('staff')])
    .where(sessionLives)
    .where(ofCaller(caller, everyones))
    .$if(cursor !== undefined, (all) => all.where('staff_session.id', '<', cursor ?? ''))
    .orderBy('staff_session.id', 'desc')
    .limit(limit + 1)
    .execute();
  await recordAccess(db, { caller, operation: 'sessions.list' });
  const shown = rows.slice(0, limit);
  return {
    items: shown.flatMap((row) => {
      const session = vault.macs.open('staff_session', row.session);
      const person = vault.macs.open('staff', row.staff);
      if (!session || person?.id !== session.staff_id) return [];
      return {
        session_id: session.id,
        staff_id: person.id,
        name: JSON.parse(row.name) as string,
        signed_in_at: row.created_at.toISOString(),
        last_used_at: row.used_at.toISOString(),
        idle_ends_at: row.idle_ends_at.toISOString(),
        ends_at: session.expires_at.toISOString(),
        way: session.way,
        device: row.device,
      };
    }),
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** The sessions that a caller may see and end: its own, and for an admin all within reach. */
export function ofCaller(caller: Caller, everyones: boolean): RawBuilder<boolean> {
  const own = sql<boolean>`staff.id = ${caller.keyId}`;
  return everyones ? sql<boolean>`(${own} or ${within(caller, 'staff.account_id')})` : own;
}
