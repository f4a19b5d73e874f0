import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';

type Variable = Tables['applied_bootstrap']['variable'];

/**
 * Whether an environment value differs from the last applied one; records it as applied. A restart with the same value
 * changes nothing, even if the key was revoked or the secret rotated since.
 */
export async function isNewBootstrapValue(
  { db, vault }: Pick<Store, 'db' | 'vault'>,
  variable: Variable,
  value: string,
): Promise<boolean> {
  const noted = await db
    .insertInto('applied_bootstrap')
    .values({ variable, hash: vault.index(`applied_bootstrap.${variable}`, value) })
    .onConflict((conflict) =>
      conflict
        .column('variable')
        .doUpdateSet({ hash: (row) => row.ref('excluded.hash'), applied_at: sql<Date>`now()` })
        .whereRef('applied_bootstrap.hash', '!=', 'excluded.hash'),
    )
    .returning('variable')
    .executeTakeFirst();
  return noted !== undefined;
}
