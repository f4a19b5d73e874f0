import { StaffRole } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { LOCKS } from '../../locks.ts';
import type { Store } from '../../open-store.ts';
import { insertRow } from '../../row-macs/covered-rows.ts';

/** The person signed in by a start on one machine. A regular issued id, from the nil UUID. */
export const FIRST_STAFF_ID = 'stf_00000000000000000000000000';

/**
 * Ensures that the first person exists, of the platform and with every role. An existing one is left unchanged, even if
 * ended or with other roles.
 */
export async function ensureFirstStaff({ db, vault }: Store): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCKS.defaultAccount}::bigint)`.execute(trx);
    const known = await trx
      .selectFrom('staff')
      .select('id')
      .where('id', '=', FIRST_STAFF_ID)
      .executeTakeFirst();
    if (known) return;
    await insertRow({ db: trx, vault }, 'staff', {
      id: FIRST_STAFF_ID,
      name: JSON.stringify('First person'),
      account_id: null,
      roles: [...StaffRole.options],
      allowed_cidrs: null,
      verify_within: null,
      ended_at: null,
      made_by: null,
    });
  });
}
