import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { isOnlineNamed, type Migrations, type NamedMigration } from './missing-migrations.ts';
import { isOnline } from './online/online-migration.ts';

/** An online migration's steps have run before it is applied: that only records it. */
const RECORDED: Migration = { up: async () => undefined };

/**
 * Applies the first of the missing migrations that belong in one transaction: all up to the next online one, or that one
 * alone.
 * @returns their names.
 */
export async function applyNext(
  db: Kysely<unknown>,
  missing: readonly NamedMigration[],
  known: Migrations,
): Promise<string[]> {
  const online = missing.findIndex(isOnlineNamed);
  const last = missing[online === -1 ? missing.length - 1 : Math.max(online - 1, 0)];
  if (!last) return [];
  const provider = {
    getMigrations: async () =>
      Object.fromEntries(
        Object.entries(known).map(([name, migration]): [string, Migration] => [
          name,
          isOnline(migration) ? RECORDED : migration,
        ]),
      ),
  };
  const { error, results = [] } = await new Migrator({ db, provider }).migrateTo(last.name);
  if (error) throw error instanceof Error ? error : new Error('A migration failed.', { cause: error });
  return results.map((result) => result.migrationName);
}
