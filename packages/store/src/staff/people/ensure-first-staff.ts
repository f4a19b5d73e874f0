import { StaffRole } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { signRows } from '../../row-macs/covered-rows.ts';

/** The person signed in by a start on one machine. A regular issued id, from the nil UUID. */
export const FIRST_STAFF_ID = 'stf_00000000000000000000000000';

/**
 * Ensures that the first person exists, of the platform and with every role. An existing one is left unchanged, even if
 * ended or with other roles.
 */
export async function ensureFirstStaff({ db, vault }: Store): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('staff')
      .values({ id: FIRST_STAFF_ID, name: JSON.stringify('First person'), roles: [...StaffRole.options] })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) await signRows({ db: trx, vault }, 'staff', sql<boolean>`id = ${FIRST_STAFF_ID}`);
  });
}
