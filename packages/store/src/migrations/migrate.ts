import { type Kysely, sql } from 'kysely';
import { setRoleSettings } from '../connection/role-settings.ts';
import { LOCKS } from '../locks.ts';
import { makeParts } from '../months/make-months.ts';
import { SCHEMA_DIGEST } from '../schema/schema.ts';
import { createMissingFunctions } from './create-missing-functions.ts';
import { createSchema } from './create-schema.ts';
import { databaseFunctions } from './database-functions.ts';
import { inMigrationTransaction } from './in-migration-transaction.ts';

const SMALLEST_SERVER_VERSION = 150000;

export interface MigrateOptions {
  /** Direct or through a pooler: a migration leaves nothing in its session. */
  readonly connectionString: string;
  /** The service's own connection, if it differs: its role gets the time-outs. */
  readonly serviceConnectionString?: string;
  /** Called when the tables exist; from here on only `serviceConnectionString` can fail. */
  readonly onMigrated?: () => void;
}

/** What {@link migrate} answers for the tables of a new database. */
export const SCHEMA_NAME = `schema ${SCHEMA_DIGEST.slice(0, 8)}`;

/**
 * Creates the tables of an empty database and the functions that this version lacks, and sets the time-outs of the service's
 * role, in one transaction. Any number of processes may call it at once: one works, the others wait.
 * @returns what was made: the schema of a new database, the functions; empty when it was up to date.
 * @throws {DatabaseNotWritableError} when the server is a standby, or read-only.
 * @throws {OtherSchemaError} when it has tables of ours with another schema; nothing is changed.
 * @throws {Error} when the server is older than PostgreSQL 15.
 */
export async function migrate({
  connectionString,
  serviceConnectionString = connectionString,
  onMigrated,
}: MigrateOptions): Promise<readonly string[]> {
  const isSame = serviceConnectionString === connectionString;
  const runs = await inMigrationTransaction(connectionString, async (trx, client) => {
    await refuseOldServer(trx);
    await takeTurn(trx);
    const isNew = await createSchema(client);
    if (isNew) await makeParts(client, Date.now());
    const created = await createMissingFunctions(trx, databaseFunctions);
    await settleRestoredEvents(trx);
    if (isSame) await setRoleSettings(trx);
    return isNew ? [SCHEMA_NAME, ...created] : created;
  });
  onMigrated?.();
  // Run as the role itself: it may always set its own defaults, while another's need more rights than a migration does.
  // And run afterwards: starts that wait for their turn may hold every backend of a pooler.
  if (!isSame)
    await inMigrationTransaction(serviceConnectionString, async (trx) => {
      await takeTurn(trx);
      await setRoleSettings(trx);
    });
  return runs.flat();
}

/**
 * Events are listed in the order of the transactions that wrote them. A dump restored into another server may have
 * numbers that this server has not reached: then all its events count as written before any of this server's, in the
 * order of their ids.
 */
async function settleRestoredEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    update event set written_by = '0' where exists (
      select from event where written_by >= pg_snapshot_xmax(pg_current_snapshot()))`.execute(db);
}

/** Waits until this transaction may migrate; it may until its end, even when the process is killed. */
async function takeTurn(db: Kysely<unknown>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS.migration}::bigint)`.execute(db);
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
