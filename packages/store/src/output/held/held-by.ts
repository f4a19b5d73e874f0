import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Store } from '../../open-store.ts';

/** The outputs that a sender handed in at least so many seconds ago and nobody settled, oldest first; 20 at most. */
export async function heldBy(
  { db }: Pick<Store, 'db'>,
  { caller, seconds }: { readonly caller: Caller; readonly seconds: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('held_output')
    .select('id')
    .where('received_by', '=', caller.keyId)
    .where('status', '=', 'held')
    .where('received_at', '<=', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .orderBy('id')
    .limit(20)
    .execute();
  return rows.map(({ id }) => id);
}
