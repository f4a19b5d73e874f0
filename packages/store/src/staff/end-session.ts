import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { DEFAULT_ACCOUNT_ID } from '../access/ensure-accounts.ts';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { changeRows, readNow } from '../row-macs/covered-rows.ts';
import { letCallsLapse } from '../verification/work/calls.ts';
import { type BrowserProof, sessionOf } from './find-session.ts';
import { ofCaller } from './sessions.ts';

interface SessionEnding {
  readonly caller: Caller;
  /** Includes others' sessions within reach, for an admin. */
  readonly everyones: boolean;
  readonly sessionId: string;
}

/** Ends a session, in every process at once. Idempotent. */
export async function endSession(
  { db, vault }: Store,
  { caller, everyones, sessionId }: SessionEnding,
): Promise<{ readonly kind: 'ended' } | { readonly kind: 'not_found' }> {
  if (!isIssuedId('ses', sessionId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx) => {
    const now = await readNow(trx);
    const [ended] = await changeRows({ db: trx, vault }, 'staff_session', {
      is: { id: sessionId },
      where: sql<boolean>`exists (
        select from staff where staff.id = staff_session.staff_id and ${ofCaller(caller, everyones)})`,
      set: ({ ended_at }) => ({ ended_at: ended_at ?? now }),
    });
    if (!ended) return { kind: 'not_found' };
    await letCallsLapse(trx, ended.staff_id);
    await recordAccess(trx, { caller, operation: 'sessions.end', subjectId: sessionId });
    return { kind: 'ended' };
  });
}

/** Ends the session that a browser shows; does nothing without one, or after its end. */
export async function signOut(
  { db, vault }: Store,
  browser: BrowserProof,
  address: string | null,
): Promise<void> {
  const shown = sessionOf(vault, browser);
  if (!shown) return;
  await db.transaction().execute(async (trx) => {
    const now = await readNow(trx);
    const [ended] = await changeRows({ db: trx, vault }, 'staff_session', {
      is: { ...shown, ended_at: null },
      set: () => ({ ended_at: now }),
    });
    if (!ended) return;
    const { staff_id: keyId } = ended;
    await letCallsLapse(trx, keyId);
    const person = await trx
      .selectFrom('staff')
      .select(['account_id', 'name'])
      .where('id', '=', keyId)
      .executeTakeFirstOrThrow();
    const by = { name: JSON.parse(person.name) as string, sessionId: ended.id, address, isEmergency: false };
    const caller = { keyId, accountId: person.account_id ?? DEFAULT_ACCOUNT_ID, by };
    await recordAccess(trx, { caller, operation: 'sessions.signOut', subjectId: ended.id });
  });
}
