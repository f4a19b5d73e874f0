import type { Migration } from 'kysely/migration';
import type pg from 'pg';
import { migrations } from './migrations.ts';
import { isOnline, type OnlineMigration } from './online/online-migration.ts';

export type Migrations = Readonly<Record<string, Migration | OnlineMigration>>;

export interface NamedMigration<Kind = Migration | OnlineMigration> {
  readonly name: string;
  readonly migration: Kind;
}

/** The migrations that the database lacks, in order. */
export async function missingMigrations(
  client: pg.ClientBase,
  known: Migrations = migrations,
): Promise<NamedMigration[]> {
  const { rows: tables } = await client.query(`select where to_regclass('kysely_migration') is not null`);
  const { rows } =
    tables.length === 0
      ? { rows: [] }
      : await client.query<{ name: string }>('select name from kysely_migration');
  const applied = new Set(rows.map(({ name }) => name));
  return Object.entries(known)
    .filter(([name]) => !applied.has(name))
    .map(([name, migration]) => ({ name, migration }));
}

export function isOnlineNamed(one: NamedMigration): one is NamedMigration<OnlineMigration> {
  return isOnline(one.migration);
}

/** The missing ones, if each of them may run behind the start; else none: the tables of a later one may need them. */
export function lateOf(missing: readonly NamedMigration[]): NamedMigration<OnlineMigration>[] {
  const late = missing.filter(isOnlineNamed).filter(({ migration }) => migration.isLate === true);
  return late.length === missing.length ? late : [];
}
