import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { migrations } from './migrations.ts';

/** Any number unlikely to be another program's. */
const LOCK = '7598247083124680306';

const SMALLEST_SERVER_VERSION = 150000;

/** Time-outs of every session of the service's role in this database, since PgBouncer drops start-up parameters. */
const roleSettings = {
  statement_timeout: '15s',
  // Above the server's own second before it looks for a deadlock, which ends one transaction and not both; and with
  // the pool's wait (impatient-pool.ts) below two seconds.
  lock_timeout: '1200ms',
  idle_in_transaction_session_timeout: '15s',
} as const;

export interface MigrateOptions {
  /** A direct connection (session locks), not a transaction pooler. */
  readonly connectionString: string;
  /** What the service itself will connect with, where that differs: its role is the one that gets the time-outs. */
  readonly serviceConnectionString?: string;
}

/**
 * Brings the database to this version's tables and gives the service's role its time-outs. Safe to run from any number
 * of processes at once: one works, the others wait for it.
 * @returns the names of the migrations that ran, none when it was up to date.
 * @throws {Error} when the server is older than PostgreSQL 15, or a migration fails; nothing of it stays.
 */
export async function migrate({
  connectionString,
  serviceConnectionString = connectionString,
}: MigrateOptions): Promise<readonly string[]> {
  return withConnection(connectionString, async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`set lock_timeout = 0`.execute(connection);
    await refuseOldServer(connection);
    await sql`select pg_advisory_lock(${LOCK}::bigint)`.execute(connection);
    try {
      const applied = await applyMigrations(connection);
      if (serviceConnectionString === connectionString) await setRoleTimeouts(connection);
      // As the role itself: it may always set its own defaults, another's only with more rights than a migration needs.
      else await withConnection(serviceConnectionString, setRoleTimeouts);
      return applied;
    } finally {
      await sql`select pg_advisory_unlock(${LOCK}::bigint)`.execute(connection);
    }
  });
}

async function withConnection<T>(
  connectionString: string,
  work: (connection: Kysely<unknown>) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: 10_000 });
  pool.on('error', () => undefined); // the next statement reports it
  pool.on('connect', (client) => void client.on('error', () => undefined)); // so too between two statements
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await db.connection().execute(work);
  } finally {
    await db.destroy();
  }
}

async function refuseOldServer(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{
    version: number;
  }>`select current_setting('server_version_num')::int as version`.execute(db);
  assertServerVersion(rows[0]?.version ?? 0);
}

/**
 * @param version as `server_version_num` says it, 150018 for 15.18.
 * @throws {Error} when `nulls not distinct` and the like are not there yet.
 */
export function assertServerVersion(version: number): void {
  if (version >= SMALLEST_SERVER_VERSION) return;
  throw new Error(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`);
}

async function applyMigrations(db: Kysely<unknown>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('A migration failed.', { cause: error });
  return results.map((result) => result.migrationName);
}

/** Only where they differ: `alter role` takes a lock and writes the catalog. */
async function setRoleTimeouts(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ database: string; role: string; current: string[] | null }>`
    select current_database() as database, current_user as role,
      (select setconfig from pg_db_role_setting s
        join pg_roles r on r.oid = s.setrole and r.rolname = current_user
        join pg_database d on d.oid = s.setdatabase and d.datname = current_database()) as current`.execute(
    db,
  );
  const [here] = rows;
  if (!here) throw new Error('The server did not name the current database.');
  for (const [setting, value] of Object.entries(roleSettings)) {
    if (here.current?.includes(`${setting}=${value}`)) continue;
    await sql`alter role ${sql.id(here.role)} in database ${sql.id(here.database)} set ${sql.raw(setting)} = ${sql.lit(value)}`.execute(
      db,
    );
  }
}
