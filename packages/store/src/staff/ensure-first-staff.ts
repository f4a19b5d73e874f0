import { StaffRole } from '@insurance-verification/schema';
import type { Store } from '../open-store.ts';

/** The person whom a start on one machine signs in: an issued id like any other, of the nil UUID. */
export const FIRST_STAFF_ID = 'stf_00000000000000000000000000';

/** Makes sure of the first person, of the platform and with every role. One who was ended, or has other roles, stays so. */
export async function ensureFirstStaff({ db }: Store): Promise<void> {
  await db
    .insertInto('staff')
    .values({ id: FIRST_STAFF_ID, name: JSON.stringify('First person'), roles: [...StaffRole.options] })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
