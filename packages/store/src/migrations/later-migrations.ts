import { type Kysely, sql } from 'kysely';
import type { Migrations } from './missing-migrations.ts';

/**
 * The migrations in the database that this version does not know, provided it has every one that this version knows: a
 * later version ran here. Every migration keeps what the previous version needs, since both run side by side during an
 * upgrade, so this version may start on it too, as a rollback. Empty when the database is not ahead.
 */
export async function laterMigrations(
  db: Kysely<unknown>,
  migrations: Migrations,
): Promise<readonly string[]> {
  const { rows: tables } = await sql<{ isThere: boolean }>`
    select to_regclass('kysely_migration') is not null as "isThere"`.execute(db);
  if (!tables[0]?.isThere) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const known = Object.keys(migrations);
  const isAhead = rows.length > known.length && known.every((name, index) => rows[index]?.name === name);
  return isAhead ? rows.slice(known.length).map(({ name }) => name) : [];
}
