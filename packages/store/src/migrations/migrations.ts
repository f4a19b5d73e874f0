import type { Migration } from 'kysely/migration';
import type { OnlineMigration } from './online/online-migration.ts';

export type Migrations = Readonly<Record<string, Migration | OnlineMigration>>;

/**
 * What changes the tables of 1.0.0, in order, forward only: a released migration is never edited. Until 1.0.0 there are
 * none, and `packages/store/schema` is edited in place. Functions that operations call are not part of migrations (see
 * `databaseFunctions`). What takes long on a large table, an index or a move of data, is an online migration of its own. An
 * index or a column that the version before reads is dropped in the release after, as a function is.
 */
export const migrations: Migrations = {};
