import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { setRoleTimeouts } from '../connection/role-timeouts.ts';
import { adoptUnreleased } from './adopt-unreleased.ts';
import { createMissingFunctions } from './create-missing-functions.ts';
import { databaseFunctions } from './database-functions.ts';
import { inMigrationTransaction } from './in-migration-transaction.ts';
import { laterMigrations } from './later-migrations.ts';
import { migrations } from './migrations.ts';

/** Any number unlikely to be another program's. */
const LOCK = '7598247083124680306';

const SMALLEST_SERVER_VERSION = 150000;

export interface MigrateOptions {
  /** Direct or through a pooler: nothing of a migration outlives its transaction. */
  readonly connectionString: string;
  /** What the service itself will connect with, where that differs: its role is the one that gets the time-outs. */
  readonly serviceConnectionString?: string;
  /** Told when the tables are there, and what may fail now is `serviceConnectionString`. */
  readonly onMigrated?: () => void;
  /** Told what the database has of a later version; it is left as it is. */
  readonly onLaterVersion?: (names: readonly string[]) => void;
}

/**
 * Brings the database to this version's tables and functions and gives the service's role its time-outs. Safe to run
 * from any number of processes at once: one works, the others wait for it.
 * @returns the names of the migrations that ran and of the functions that were created, none when it was up to date.
 * @throws {DatabaseNotWritableError} when the server is a standby, or read-only.
 * @throws {Error} when the server is older than PostgreSQL 15, or a migration fails; nothing of it stays.
 */
export async function migrate({
  connectionString,
  serviceConnectionString = connectionString,
  onMigrated,
  onLaterVersion = () => undefined,
}: MigrateOptions): Promise<readonly string[]> {
  const isSame = serviceConnectionString === connectionString;
  const runs = await inMigrationTransaction(connectionString, async (trx) => {
    await refuseOldServer(trx);
    await waitForTurn(trx);
    await adoptUnreleased(trx);
    const later = await laterMigrations(trx);
    if (later.length > 0) onLaterVersion(later);
    const applied = later.length > 0 ? [] : await applyMigrations(trx);
    // Also on a later version's tables: it may have dropped a function that this version calls.
    const created = await createMissingFunctions(trx, databaseFunctions);
    if (isSame) await setRoleTimeouts(trx);
    return [...applied, ...created];
  });
  onMigrated?.();
  // As the role itself: it may always set its own defaults, another's only with more rights than a migration needs.
  // And afterwards: starts that wait for their turn may hold every backend of a pooler.
  if (!isSame)
    await inMigrationTransaction(serviceConnectionString, async (trx) => {
      await waitForTurn(trx);
      await setRoleTimeouts(trx);
    });
  return runs.flat();
}

/** It ends with the transaction, also when the process is killed or the migration fails. */
async function waitForTurn(db: Kysely<unknown>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(db);
}

async function refuseOldServer(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{
    version: number;
  }>`select current_setting('server_version_num')::int as version`.execute(db);
  assertServerVersion(rows[0]?.version ?? 0);
}

/**
 * @param version as `server_version_num` says it, 150018 for 15.18.
 * @throws {Error} when `nulls not distinct` and the like are not there yet.
 */
export function assertServerVersion(version: number): void {
  if (version >= SMALLEST_SERVER_VERSION) return;
  throw new Error(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`);
}

async function applyMigrations(db: Kysely<unknown>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('A migration failed.', { cause: error });
  return results.map((result) => result.migrationName);
}
