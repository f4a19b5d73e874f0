import { type Kysely, sql } from 'kysely';
import type pg from 'pg';

/**
 * What a session needs, whatever its role, its database or the server sets: dates, numbers and bytes as node-postgres reads
 * them, lists that may hold null, days that begin in UTC, and statements that see what was committed before they began.
 * Others cost at most time, or are the operator's to set, such as `default_transaction_read_only`.
 */
export const sessionSettings = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  array_nulls: 'on',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
} as const;

/**
 * The statement that each connection begins with. A commit that is answered is on the disk: `off` would answer before; how
 * many standbys have it as well is the operator's to say.
 */
export const SET_SESSION = `${Object.entries(sessionSettings)
  .map(([name, value]) => `set ${name} = '${value}'`)
  .join(
    '; ',
  )}; select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;

/**
 * Settings for every session of the service's role in this database. Set on the role because PgBouncer drops start-up
 * parameters, and what a session sets holds for one of its backends.
 */
const roleSettings = {
  ...sessionSettings,
  statement_timeout: '15s',
  // Above the second after which the server looks for a deadlock, which then ends only one of the transactions; and,
  // with the pool's wait (impatient-pool.ts), below two seconds.
  lock_timeout: '1200ms',
  idle_in_transaction_session_timeout: '15s',
} as const;

/** Sets up this connection's role; it applies to later sessions. */
export async function setRoleSettings(db: Kysely<unknown>): Promise<void> {
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
    // Only changed ones: `alter role` takes a lock and writes the catalog.
    if (here.current?.includes(`${setting}=${value}`)) continue;
    await sql`alter role ${sql.id(here.role)} in database ${sql.id(here.database)} set ${sql.raw(setting)} = ${sql.lit(value)}`.execute(
      db,
    );
  }
}

/**
 * Whether this session is older than its role's settings. Values from the connection string or from a pooler are kept.
 * To be called before anything is set in the session.
 */
export async function lacksRoleSettings(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ name: string; value: string; source: string }>`
    select name, current_setting(name) as value, source from pg_settings
    where name = any (${Object.keys(roleSettings)})`.execute(db);
  const wanted: Readonly<Record<string, string>> = roleSettings;
  return rows.some(
    ({ name, value, source }) => value !== wanted[name] && source !== 'client' && source !== 'session',
  );
}

/**
 * Whether the connection goes through a pooler: it reports its own process ids, since its clients' statements may run
 * in any backend.
 */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid !== (client as { processID?: number }).processID;
}

/**
 * Lets the surrounding transaction commit without waiting for the disk or a standby: only for leases and notifications.
 * If a database crash loses a lease, its worker lost its connection as well, and the row falls due again. Its text also
 * marks the statement as one that may continue while commits hang.
 */
export const withoutFlush = sql`set_config('synchronous_commit', 'off', true)`;
