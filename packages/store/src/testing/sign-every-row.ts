import { sql } from 'kysely';
import { openStore } from '../open-store.ts';
import { type Covered, COVERED_TABLES, coveredOf } from '../row-macs/covered-columns.ts';

/** Makes the MAC of every row right, for a test that turned a row's clock back by SQL: in life, that removes the row. */
export async function signEveryRow(database: {
  readonly connectionString: string;
  readonly encryptionKey: string;
}): Promise<void> {
  const { db, vault, close } = await openStore({ ...database, connectionCountMax: 1 });
  try {
    for (const table of COVERED_TABLES)
      await db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ at: string; covered: Covered }>`
          select ctid::text as at, ${coveredOf(table)} as covered from ${sql.table(table)} for update`.execute(
          trx,
        );
        const macs = rows.map(({ covered }) => vault.macs.sign(table, covered.columns));
        await sql`
          update ${sql.table(table)} set mac = signed.mac
          from unnest(${rows.map(({ at }) => at)}::tid[], ${macs}::text[]) as signed (at, mac)
          where ${sql.table(table)}.ctid = signed.at`.execute(trx);
      });
  } finally {
    await close();
  }
}
