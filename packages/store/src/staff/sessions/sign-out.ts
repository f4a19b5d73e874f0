import { DEFAULT_ACCOUNT_ID } from '../../access/accounts/ensure-default-account.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { changeRows, readNow } from '../../row-macs/covered-rows.ts';
import { letCallsLapse } from '../../verification/work/calls.ts';
import { type BrowserProof, sessionOf } from './session-of-browser.ts';

/** Ends the session that a browser shows; does nothing when there is none, or it has ended. */
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
