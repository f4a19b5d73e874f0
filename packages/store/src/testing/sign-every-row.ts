import { sql, type Transaction } from 'kysely';
import { openStore, type Store } from '../open-store.ts';
import { type Covered, COVERED_TABLES, type CoveredTable, coveredOf } from '../row-macs/covered-columns.ts';
import type { Tables } from '../tables/tables.ts';

interface SignedDatabase {
  readonly connectionString: string;
  readonly encryptionKey: string;
}

/** Makes the MAC of every row right, for a test that turned a row's clock back by SQL: in life, that removes the row. */
export function signEveryRow(database: SignedDatabase): Promise<void> {
  return inStore(database, async (store) => {
    for (const table of COVERED_TABLES)
      await store.db.transaction().execute((trx) => signRows(trx, store, table));
  });
}

/** Changes rows and signs them in one transaction: a service that runs never reads one whose MAC is wrong. */
export function changeSigned(
  database: SignedDatabase,
  table: CoveredTable,
  change: (trx: Transaction<Tables>) => Promise<unknown>,
): Promise<void> {
  return inStore(database, (store) =>
    store.db.transaction().execute(async (trx) => {
      await change(trx);
      await signRows(trx, store, table);
    }),
  );
}

async function inStore(database: SignedDatabase, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore({ ...database, connectionCountMax: 1 });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

async function signRows(trx: Transaction<Tables>, { vault }: Store, table: CoveredTable): Promise<void> {
  const { rows } = await sql<{ at: string; covered: Covered }>`
    select ctid::text as at, ${coveredOf(table)} as covered from ${sql.table(table)} for update`.execute(trx);
  const macs = rows.map(({ covered }) => vault.macs.sign(table, covered.columns));
  await sql`
    update ${sql.table(table)} set mac = signed.mac
    from unnest(${rows.map(({ at }) => at)}::tid[], ${macs}::text[]) as signed (at, mac)
    where ${sql.table(table)}.ctid = signed.at`.execute(trx);
}
