import type pg from 'pg';

/**
 * Drops a database after ending our sessions in it. Not `with (force)`: that also tries to end an autovacuum worker,
 * which requires a superuser; a plain drop waits for it.
 */
export async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  const ours =
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user';
  await client.query(ours, [name]);
  await client.query(`drop database if exists ${client.escapeIdentifier(name)}`);
}
