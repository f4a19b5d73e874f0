import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { migrations } from './migrations.ts';
import { isOnline, type OnlineMigration } from './online-migration.ts';

/**
 * Applies the next missing migrations that belong in one transaction: all up to the next online one, or that one alone.
 * @param runOnline runs the steps of an online one; it is recorded when they are done.
 * @returns their names; empty when none is missing.
 */
export async function applyNext(
  db: Kysely<unknown>,
  runOnline: (migration: OnlineMigration) => Promise<void>,
): Promise<string[]> {
  const last = await lastOfNext(db);
  if (last === undefined) return [];
  const provider = {
    getMigrations: async () =>
      Object.fromEntries(
        Object.entries(migrations).map(([name, migration]): [string, Migration] => [
          name,
          isOnline(migration) ? { up: () => runOnline(migration) } : migration,
        ]),
      ),
  };
  const { error, results = [] } = await new Migrator({ db, provider }).migrateTo(last);
  if (error) throw error instanceof Error ? error : new Error('A migration failed.', { cause: error });
  return results.map((result) => result.migrationName);
}

async function lastOfNext(db: Kysely<unknown>): Promise<string | undefined> {
  const { rows: tables } = await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  const { rows } =
    tables.length === 0
      ? { rows: [] }
      : await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  const missing = Object.entries(migrations).filter(([name]) => !applied.has(name));
  const online = missing.findIndex(([, migration]) => isOnline(migration));
  return missing[online === -1 ? missing.length - 1 : Math.max(online - 1, 0)]?.[0];
}
