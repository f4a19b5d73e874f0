import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import type { MasterKey } from './master-keys.ts';
import { wrapDataKey } from './wrap-data-key.ts';

/**
 * Makes the successor of a data key: from now on it seals what is new, and the old one still opens what it sealed. Other
 * processes learn of it when they need their next block. Of several that do it at once, one does.
 */
export async function succeed(
  db: Kysely<Tables>,
  master: MasterKey,
  { id, accountId }: { readonly id: number; readonly accountId: string | null },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('data_key')
      .set({ succeeded_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('succeeded_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    const owner = { purpose: 'seal' as const, account_id: accountId };
    const wrapped = wrapDataKey(master, owner, randomBytes(32));
    await trx
      .insertInto('data_key')
      .values({ ...owner, master_key_id: master.id, wrapped })
      .execute();
  });
}
