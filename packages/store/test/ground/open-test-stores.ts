import pg from 'pg';
import { afterAll } from 'vitest';
import { createMasterKey, openStore, type Store, type StoreOptions } from '../../src/index.ts';
import { createTestDatabase, signEveryRow } from '../../src/testing/index.ts';
import { dropDatabase } from './drop-database.ts';

export interface TestStores {
  readonly connectionString: string;
  readonly encryptionKey: string;
  readonly store: Store;
  /** A second pool with its own vault, standing in for a second process. */
  readonly rival: Store;
  /** Opens another store, closed after the file's tests. */
  readonly open: (options?: Partial<StoreOptions>) => Promise<Store>;
  /** Queries the database directly, on a separate connection. */
  readonly sql: <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** As `sql`, for rows that give power: as if the service had written it, which signs them. */
  readonly alter: (text: string, values?: readonly unknown[]) => Promise<void>;
}

/** A database for this test file and two stores on it, removed after the file. */
export async function openTestStores(
  pool: Pick<StoreOptions, 'connectionCountMax'> = {},
): Promise<TestStores> {
  const { connectionString } = await createTestDatabase();
  const encryptionKey = createMasterKey('k1');
  const opened: Store[] = [];
  const open: TestStores['open'] = async (options) => {
    const store = await openStore({ connectionString, encryptionKey, ...pool, ...options });
    opened.push(store);
    return store;
  };
  const direct = new pg.Pool({ connectionString, max: 4 });
  direct.on('error', () => undefined); // a test ends backends; the next query reconnects
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.close().catch(() => undefined))); // some tests close theirs
    await direct.end();
    await dropDatabase(connectionString);
  });
  const [store, rival] = [await open(), await open()];
  const sql = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await direct.query<Row>(text, [...values])).rows;
  const alter: TestStores['alter'] = async (text, values) => {
    await sql(text, values);
    await signEveryRow({ connectionString, encryptionKey });
  };
  return { connectionString, encryptionKey, store, rival, open, sql, alter };
}
