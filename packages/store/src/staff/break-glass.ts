import type { EmergencyAccess } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { coveredOf } from '../row-macs/covered-columns.ts';
import { insertRow, readNow } from '../row-macs/covered-rows.ts';
import { sessionLives } from './find-session.ts';

/** Minutes of emergency access. */
const EMERGENCY_MINUTES = 60;

interface GlassBreak {
  readonly caller: Caller;
  readonly sessionId: string;
  readonly reason: string;
  /** Whether the person proved who they are within 15 minutes; null for a key. */
  readonly isFresh: boolean | null;
}

type BrokenGlass =
  | { readonly kind: 'broken'; readonly access: EmergencyAccess }
  /** No live session of an operator within reach; for a person, only their own is. */
  | { readonly kind: 'not_found' };

const NOBODY = { name: null, sessionId: null, address: null, isEmergency: false };

/** Where the reason of one emergency is encrypted: in its line of the audit. */
export const placeOfReason = (sessionId: string): string => `emergency_access.reason:${sessionId}`;

/** Gives an operator's session emergency access for an hour. */
export async function breakGlass(
  { db, vault }: Store,
  { caller, sessionId, reason, isFresh }: GlassBreak,
): Promise<BrokenGlass> {
  if (!isIssuedId('ses', sessionId)) return { kind: 'not_found' };
  const encrypted = await vault.encrypt('system', placeOfReason(sessionId), reason);
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('staff_session')
      .innerJoin('staff', 'staff.id', 'staff_session.staff_id')
      .select([coveredOf('staff_session').as('session'), coveredOf('staff').as('staff')])
      .where('staff_session.id', '=', sessionId)
      .where(sessionLives)
      .where('staff.ended_at', 'is', null)
      .where(sql<boolean>`'operator' = any (staff.roles)`)
      .where(within(caller, 'staff.account_id'))
      .$if(isIssuedId('stf', caller.keyId), (own) => own.where('staff.id', '=', caller.keyId))
      .executeTakeFirst();
    const session = row && vault.macs.open('staff_session', row.session);
    const person = row && vault.macs.open('staff', row.staff);
    const isRight = session?.id === sessionId && person?.id === session.staff_id;
    if (!isRight || !person.roles.includes('operator')) return { kind: 'not_found' };
    const begunAt = await readNow(trx);
    const endsAt = new Date(begunAt.getTime() + EMERGENCY_MINUTES * 60_000);
    await insertRow({ db: trx, vault }, 'emergency_access', {
      session_id: sessionId,
      staff_id: person.id,
      begun_at: begunAt,
      ends_at: endsAt,
    });
    await recordAccess(trx, {
      // Its own line belongs to the hour that it begins.
      caller: { ...caller, by: { ...(caller.by ?? NOBODY), isEmergency: true } },
      operation: 'sessions.breakGlass',
      subjectId: sessionId,
      details: { reason: encrypted.toString('base64'), is_fresh: isFresh },
    });
    const [begun_at, ends_at] = [begunAt.toISOString(), endsAt.toISOString()];
    return { kind: 'broken', access: { session_id: sessionId, begun_at, ends_at } };
  });
}
