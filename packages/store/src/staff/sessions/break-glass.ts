import type { EmergencyAccess } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { coveredOf } from '../../row-macs/covered-columns.ts';
import { signRows } from '../../row-macs/covered-rows.ts';
import { sessionLives } from './session-lives.ts';

/** Minutes of emergency access. */
const EMERGENCY_MINUTES = 60;

export interface GlassBreak {
  readonly caller: Caller;
  readonly sessionId: string;
  readonly reason: string;
  /** Whether the person proved who they are within 15 minutes; null for a key. */
  readonly isFresh: boolean | null;
}

export type BrokenGlass =
  | { readonly kind: 'broken'; readonly access: EmergencyAccess }
  /** No live session of an operator within reach; for a person, only their own is. */
  | { readonly kind: 'not_found' };

const NOBODY = { name: null, sessionId: null, address: null, isEmergency: false };

/** Where the reason of one emergency is sealed: in its line of the audit. */
export const placeOfReason = (sessionId: string): string => `emergency_access.reason:${sessionId}`;

/** Gives an operator's session emergency access for an hour. */
export async function breakGlass(
  { db, vault }: Store,
  { caller, sessionId, reason, isFresh }: GlassBreak,
): Promise<BrokenGlass> {
  if (!isIssuedId('ses', sessionId)) return { kind: 'not_found' };
  const sealed = await vault.seal('system', placeOfReason(sessionId), reason);
  return db.transaction().execute(async (trx) => {
    const session = await trx
      .selectFrom('staff_session')
      .innerJoin('staff', 'staff.id', 'staff_session.staff_id')
      .select('staff.id as staffId')
      .select([coveredOf('staff_session').as('session'), coveredOf('staff').as('staff')])
      .where('staff_session.id', '=', sessionId)
      .where(sessionLives)
      .where('staff.ended_at', 'is', null)
      .where(sql<boolean>`'operator' = any (staff.roles)`)
      .where(within(caller, 'staff.account_id'))
      .$if(isIssuedId('stf', caller.keyId), (own) => own.where('staff.id', '=', caller.keyId))
      .executeTakeFirst();
    const isRight =
      session &&
      vault.macs.verifies('staff_session', session.session) &&
      vault.macs.verifies('staff', session.staff);
    if (!isRight) return { kind: 'not_found' };
    const { begun_at: begunAt, ends_at: endsAt } = await trx
      .insertInto('emergency_access')
      .values({
        session_id: sessionId,
        staff_id: session.staffId,
        ends_at: sql<Date>`now() + make_interval(mins => ${EMERGENCY_MINUTES})`,
      })
      .returning(['begun_at', 'ends_at'])
      .executeTakeFirstOrThrow();
    await signRows(
      { db: trx, vault },
      'emergency_access',
      sql<boolean>`session_id = ${sessionId} and begun_at = now()`,
    );
    await recordAccess(trx, {
      // Its own line belongs to the hour that it begins.
      caller: { ...caller, by: { ...(caller.by ?? NOBODY), isEmergency: true } },
      operation: 'sessions.breakGlass',
      subjectId: sessionId,
      details: { reason: sealed.toString('base64'), is_fresh: isFresh },
    });
    const [begun_at, ends_at] = [begunAt.toISOString(), endsAt.toISOString()];
    return { kind: 'broken', access: { session_id: sessionId, begun_at, ends_at } };
  });
}
