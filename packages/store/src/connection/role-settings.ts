import { type Kysely, sql } from 'kysely';
import { sessionSettings } from './session-settings.ts';

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
