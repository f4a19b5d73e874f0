import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type pg from 'pg';
import type { Migrations } from './migrations.ts';
import { isOnlineNamed, type NamedMigration } from './missing-migrations.ts';
import { isOnline, type OnlineMigration } from './online/online-migration.ts';

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
  return last ? applyTo(last.name, { db, known, online: () => RECORDED }) : [];
}

/**
 * Applies all migrations of a new database in one transaction: an online one has nothing to read there, and no session to
 * let through.
 * @param client the connection of `db`.
 * @returns their names.
 */
export async function applyAll(
  db: Kysely<unknown>,
  client: pg.ClientBase,
  known: Migrations,
): Promise<string[]> {
  const last = Object.keys(known).at(-1);
  const inOne = ({ steps }: OnlineMigration): Migration => ({
    up: async () => {
      for (const step of steps) await step({ client, isConcurrent: false });
    },
  });
  return last === undefined ? [] : applyTo(last, { db, known, online: inOne });
}

interface Applying {
  readonly db: Kysely<unknown>;
  readonly known: Migrations;
  /** What is done for an online migration in the transaction. */
  readonly online: (migration: OnlineMigration) => Migration;
}

async function applyTo(last: string, { db, known, online }: Applying): Promise<string[]> {
  const provider = {
    getMigrations: async () =>
      Object.fromEntries(
        Object.entries(known).map(([name, migration]): [string, Migration] => [
          name,
          isOnline(migration) ? online(migration) : migration,
        ]),
      ),
  };
  const { error, results = [] } = await new Migrator({ db, provider }).migrateTo(last);
  if (error) throw error instanceof Error ? error : new Error('A migration failed.', { cause: error });
  return results.map((result) => result.migrationName);
}
