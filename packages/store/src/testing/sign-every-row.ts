import { sql } from 'kysely';
import { openStore } from '../open-store.ts';
import { COVERED_TABLES } from '../row-macs/covered-columns.ts';
import { signRows } from '../row-macs/covered-rows.ts';

/** Makes the MAC of every row right, for a test that turned a row's clock back by SQL: in life, that removes the row. */
export async function signEveryRow(database: {
  readonly connectionString: string;
  readonly encryptionKey: string;
}): Promise<void> {
  const store = await openStore({ ...database, connectionCountMax: 1 });
  try {
    for (const table of COVERED_TABLES)
      await store.db
        .transaction()
        .execute((trx) => signRows({ db: trx, vault: store.vault }, table, sql<boolean>`true`));
  } finally {
    await store.close();
  }
}
