import type { Migration } from 'kysely/migration';
import type pg from 'pg';
import type { Migrations } from './migrations.ts';
import { isOnline, type OnlineMigration } from './online/online-migration.ts';

export interface NamedMigration<Kind = Migration | OnlineMigration> {
  readonly name: string;
  readonly migration: Kind;
}

/** The migrations that the database lacks, in order. */
export async function missingMigrations(client: pg.ClientBase, known: Migrations): Promise<NamedMigration[]> {
  const applied = new Set(await appliedMigrations(client));
  return Object.entries(known)
    .filter(([name]) => !applied.has(name))
    .map(([name, migration]) => ({ name, migration }));
}

/**
 * The migrations in the database that this version does not know, provided it has every one that this version knows: a
 * later version ran here. Every migration keeps what the previous version needs, since both run side by side during an
 * upgrade, so this version may start on it too, as a rollback. Empty when the database is not ahead.
 */
export async function laterMigrations(client: pg.ClientBase, known: Migrations): Promise<readonly string[]> {
  const applied = await appliedMigrations(client);
  const names = Object.keys(known);
  const isAhead = applied.length > names.length && names.every((name, index) => applied[index] === name);
  return isAhead ? applied.slice(names.length) : [];
}

async function appliedMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows: tables } = await client.query(`select where to_regclass('kysely_migration') is not null`);
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

export function isOnlineNamed(one: NamedMigration): one is NamedMigration<OnlineMigration> {
  return isOnline(one.migration);
}
