import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { setRoleTimeouts } from '../connection/role-timeouts.ts';
import { adoptUnreleased } from './adopt-unreleased.ts';
import { createMissingFunctions } from './create-missing-functions.ts';
import { databaseFunctions } from './database-functions.ts';
import { inMigrationTransaction } from './in-migration-transaction.ts';
import { laterMigrations } from './later-migrations.ts';
import { migrations } from './migrations.ts';

/** A number unlikely to be used by another program. */
const LOCK = '7598247083124680306';

const SMALLEST_SERVER_VERSION = 150000;

export interface MigrateOptions {
  /** Direct or through a pooler: a migration leaves nothing in its session. */
  readonly connectionString: string;
  /** The service's own connection, if it differs: its role gets the time-outs. */
  readonly serviceConnectionString?: string;
  /** Called when the tables exist; from here on only `serviceConnectionString` can fail. */
  readonly onMigrated?: () => void;
  /** Called with the migrations of a later version, which are left as they are. */
  readonly onLaterVersion?: (names: readonly string[]) => void;
}

/**
 * Brings the database to this version's tables and functions and sets the time-outs of the service's role. Any number
 * of processes may call it at once: one works, the others wait.
 * @returns the names of the migrations that ran and of the functions that were created; empty when it was up to date.
 * @throws {DatabaseNotWritableError} when the server is a standby, or read-only.
 * @throws {Error} when the server is older than PostgreSQL 15, or a migration fails; it is rolled back.
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
    // Also on a later version's tables: that version may have dropped a function that this one calls.
    const created = await createMissingFunctions(trx, databaseFunctions);
    if (isSame) await setRoleTimeouts(trx);
    return [...applied, ...created];
  });
  onMigrated?.();
  // Run as the role itself: it may always set its own defaults, while another's need more rights than a migration does.
  // And run afterwards: starts that wait for their turn may hold every backend of a pooler.
  if (!isSame)
    await inMigrationTransaction(serviceConnectionString, async (trx) => {
      await waitForTurn(trx);
      await setRoleTimeouts(trx);
    });
  return runs.flat();
}

/** The lock ends with the transaction, even when the process is killed or the migration fails. */
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
 * @param version in the form of `server_version_num`: 150018 for 15.18.
 * @throws {Error} when the server lacks `nulls not distinct` and the like.
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
