import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { clientFor } from '../connection/client-for.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';

/**
 * The server's own functions and operators before any of the database's: a search path set for a role could otherwise put
 * an `int8send` of their own in the place of the server's.
 */
const OWN_FUNCTIONS_FIRST = sql`
  select pg_catalog.set_config('search_path', pg_catalog.concat('pg_catalog, ', class.relnamespace::pg_catalog.regnamespace), false)
  from pg_catalog.pg_class as class where class.oid = pg_catalog.to_regclass('access_log')`;

/** Reads the audit of a database whose master key is not at hand: nothing in the audit is sealed with it. */
export async function withAudit<T>(
  connectionString: string,
  work: (store: Pick<Store, 'db'>) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({ Client: clientFor(connectionString), max: 1, connectionTimeoutMillis: 10_000 });
  pool.on('error', () => undefined); // the next statement reports it
  const dialect = new PostgresDialect({
    pool,
    onCreateConnection: async (connection) =>
      void (await connection.executeQuery(OWN_FUNCTIONS_FIRST.compile(db))),
  });
  const db = new Kysely<Tables>({ dialect });
  try {
    return await work({ db });
  } finally {
    await db.destroy();
  }
}
