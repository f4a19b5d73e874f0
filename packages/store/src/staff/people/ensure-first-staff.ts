import { StaffRole } from '@insurance-verification/schema';
import type { Store } from '../../open-store.ts';

/** The person signed in by a start on one machine. A regular issued id, from the nil UUID. */
export const FIRST_STAFF_ID = 'stf_00000000000000000000000000';

/**
 * Ensures that the first person exists, of the platform and with every role. An existing one is left unchanged, even if
 * ended or with other roles.
 */
export async function ensureFirstStaff({ db }: Store): Promise<void> {
  await db
    .insertInto('staff')
    .values({ id: FIRST_STAFF_ID, name: JSON.stringify('First person'), roles: [...StaffRole.options] })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
