import type pg from 'pg';

/**
 * Drops a database and whoever of ours is still connected to it. Not `with (force)`: that wants to end an autovacuum
 * worker too, which only a superuser may; a plain drop waits for it.
 */
export async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  const ours =
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user';
  await client.query(ours, [name]);
  await client.query(`drop database if exists ${client.escapeIdentifier(name)}`);
}
