import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { clientFor } from '../connection/client/client-for.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';

/** Reads the audit of a database whose master key is not at hand: nothing in the audit is sealed with it. */
export async function withAudit<T>(
  connectionString: string,
  work: (store: Pick<Store, 'db'>) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({ Client: clientFor(connectionString), max: 1, connectionTimeoutMillis: 10_000 });
  pool.on('error', () => undefined); // the next statement reports it
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await work({ db });
  } finally {
    await db.destroy();
  }
}
