import { type ControlledTransaction, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { clientFor } from '../connection/client-for.ts';
import { DatabaseNotWritableError } from '../connection/primary.ts';
import { isPooled, lacksRoleSettings } from '../connection/role-settings.ts';
type Work<T> = (trx: ControlledTransaction<unknown>, client: pg.PoolClient) => Promise<T>;

/** The most backends that one call ends; no pool has more by default. */
const ENDED_COUNT_MAX = 100;

/**
 * Runs work in one transaction without time-outs and leaves nothing in the session: behind a transaction pooler,
 * anyone's next statement may run in it. There, a session older than its role's time-outs ends with its commit and the
 * work repeats in another session, so a second run of the work must find nothing to do.
 * @returns the results of all runs, in order.
 * @throws {DatabaseNotWritableError} when the server is a standby, or read-only.
 */
export async function inMigrationTransaction<T>(connectionString: string, work: Work<T>): Promise<T[]> {
  const results: T[] = [];
  let isOver = false;
  while (!isOver) {
    const mayEnd = results.length < ENDED_COUNT_MAX;
    isOver = await withConnection(connectionString, async (db, client) => {
      const trx = await db.startTransaction().setIsolationLevel('read committed').execute();
      try {
        const isOutdated = mayEnd && (await isPooled(client)) && (await lacksRoleSettings(trx));
        await refuseReadOnly(trx);
        await sql`set local statement_timeout = 0`.execute(trx);
        await sql`set local lock_timeout = 0`.execute(trx);
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
        results.push(await work(trx, client));
        if (isOutdated) await commitAndEnd(client);
        else await trx.commit().execute();
        return !isOutdated;
      } finally {
        if (!trx.isCommitted)
          await trx
            .rollback()
            .execute()
            .catch(() => undefined); // the earlier error is reported
      }
    });
  }
  return results;
}

async function withConnection<T>(
  connectionString: string,
  work: (db: Kysely<unknown>, client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({ Client: clientFor(connectionString), max: 1, connectionTimeoutMillis: 10_000 });
  pool.on('error', () => undefined); // the next statement reports it
  const client = await pool.connect();
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({
      pool: { connect: async () => client, end: () => pool.end(), options: {} },
    }),
  });
  try {
    return await work(db, client);
  } finally {
    await db.destroy();
  }
}

async function refuseReadOnly(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ isReadOnly: boolean }>`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`.execute(
    db,
  );
  if (rows[0]?.isReadOnly) throw new DatabaseNotWritableError('25006');
}

/**
 * Sends one message, which a pooler passes to one backend: a second message might end the session of another client's
 * transaction. Its error says only that the session ended; the next run checks whether the commit succeeded.
 */
async function commitAndEnd(client: pg.ClientBase): Promise<void> {
  await client.query('commit; select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
}
