import { Kysely, PostgresDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import type { DatabaseFunction } from '../../src/functions/database-function.ts';
import { createMissingFunctions } from '../../src/migrations/create-missing-functions.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import type { Migrations } from '../../src/migrations/missing-migrations.ts';
import { isOnline } from '../../src/migrations/online/online-migration.ts';
import { runOnline } from '../../src/migrations/online/run-online.ts';

export interface MigrateThrough {
  readonly names: readonly string[];
  readonly functions: readonly DatabaseFunction[];
  /** Of this version, and a test's own. */
  readonly known?: Migrations;
}

/** Brings a database to the migrations and functions of another version, as `migrate` does to this one's. */
export async function migrateThrough(
  connectionString: string,
  { names, functions, known = migrations }: MigrateThrough,
): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 1 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const entries = names.map((name): [string, Migration] => {
      const migration = known[name];
      if (!migration) throw new Error(`There is no migration ${name}.`);
      if (!isOnline(migration)) return [name, migration];
      return [name, { up: async () => void (await runOnline(connectionString, { name, migration })) }];
    });
    const provider = { getMigrations: async () => Object.fromEntries(entries) };
    const { error } = await new Migrator({ db, provider, disableTransactions: true }).migrateToLatest();
    if (error) throw error;
    await createMissingFunctions(db, functions);
  } finally {
    await db.destroy();
  }
}
