import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { isPooled, setRoleSettings } from '../connection/role-settings.ts';
import { LOCKS } from '../locks.ts';
import { makeParts } from '../months/make-months.ts';
import { SCHEMA_DIGEST } from '../schema/schema.ts';
import { applyAll, applyNext } from './apply-next.ts';
import { createMissingFunctions } from './create-missing-functions.ts';
import { createSchema } from './create-schema.ts';
import { databaseFunctions } from './database-functions.ts';
import { inMigrationTransaction } from './in-migration-transaction.ts';
import { type Migrations, migrations } from './migrations.ts';
import { isOnlineNamed, laterMigrations, missingMigrations } from './missing-migrations.ts';
import { runOnline } from './online/run-online.ts';

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
  /** Called when an online migration begins; it may take as long as its tables are large. */
  readonly onOnline?: (name: string) => void;
  /** Of a test; else those of this version. */
  readonly known?: Migrations;
}

/** What {@link migrate} answers for the tables of a new database. */
export const SCHEMA_NAME = `schema ${SCHEMA_DIGEST.slice(0, 8)}`;

/**
 * Brings the database to this version's tables and functions and sets the time-outs of the service's role. Any number
 * of processes may call it at once: one works, the others wait.
 * @returns what was made: the schema of a new database, the migrations that ran, the functions that were created; empty
 * when it was up to date.
 * @throws {DatabaseNotWritableError} when the server is a standby, or read-only.
 * @throws {OtherSchemaError} when it has tables of ours with another schema; nothing is changed.
 * @throws {Error} when the server is older than PostgreSQL 15, or a migration fails; it is rolled back.
 */
export async function migrate({
  connectionString,
  serviceConnectionString = connectionString,
  onMigrated,
  onLaterVersion = () => undefined,
  onOnline = () => undefined,
  known = migrations,
}: MigrateOptions): Promise<readonly string[]> {
  const isSame = serviceConnectionString === connectionString;
  const done: string[] = [];
  for (let isOver = false; !isOver;) {
    const runs = await withoutLongLocks(() =>
      inMigrationTransaction(connectionString, async (trx, client) => {
        await refuseOldServer(trx);
        if (!(await takeTurn(trx))) return { names: [], isLast: false, pauseMs: TURN_PAUSE_MS };
        if (await createSchema(client)) {
          await makeParts(client, Date.now());
          const applied = await applyAll(trx, client, known);
          return { names: [SCHEMA_NAME, ...applied], isLast: false, pauseMs: 0 };
        }
        const later = await laterMigrations(client, known);
        if (later.length > 0) onLaterVersion(later);
        const missing = later.length > 0 ? [] : await missingMigrations(client, known);
        const [next] = missing;
        if (next) {
          if (isOnlineNamed(next)) {
            onOnline(next.name);
            const isDirect = !(await isPooled(client));
            const isDone = await runOnline(isDirect ? connectionString : client, next.migration);
            if (!isDone) return { names: [], isLast: false, pauseMs: ELSEWHERE_PAUSE_MS };
          }
          return { names: await applyNext(trx, missing, known), isLast: false, pauseMs: 0 };
        }
        // Also on a later version's tables: that version may have dropped a function that this one calls.
        const created = await createMissingFunctions(trx, databaseFunctions);
        if (isSame) await setRoleSettings(trx);
        return { names: created, isLast: true, pauseMs: 0 };
      }),
    );
    done.push(...runs.flatMap(({ names }) => names));
    isOver = runs.at(-1)?.isLast === true;
    await pause(runs.at(-1)?.pauseMs);
  }
  onMigrated?.();
  // Run as the role itself: it may always set its own defaults, while another's need more rights than a migration does.
  // And run afterwards: starts that wait for their turn may hold every backend of a pooler.
  for (let isSet = isSame; !isSet;) {
    const runs = await inMigrationTransaction(serviceConnectionString, async (trx) => {
      const isMine = await takeTurn(trx);
      if (isMine) await setRoleSettings(trx);
      return isMine;
    });
    isSet = runs.at(-1) === true;
    if (!isSet) await pause(TURN_PAUSE_MS);
  }
  return done;
}

/** The pause while another process runs an online migration, which may take long. */
const ELSEWHERE_PAUSE_MS = 1_000;

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

/** SQLSTATE lock_not_available. */
const LOCK_TIMED_OUT = '55P03';

/** Tries, a second apart, of a migration that changes a table which something else, such as a backup, holds. */
const TRY_COUNT = 600;

/**
 * Repeats a migration that could not lock a table at once. While it waits, everything else that wants the table waits
 * after it, so it gives up soon and tries again.
 */
async function withoutLongLocks<T>(work: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await work();
    } catch (err) {
      if (!(err instanceof pg.DatabaseError) || err.code !== LOCK_TIMED_OUT || count === TRY_COUNT) throw err;
      await pause(1_000);
    }
  }
}

/** Below the 1.2 s after which a call of the service gives up waiting for a lock. */
const LOCK_TIMEOUT_MS = 800;

const TURN_PAUSE_MS = 100;

/**
 * Whether this transaction may migrate; until its end, even when the process is killed or the migration fails. It does
 * not wait: a concurrent build of an index waits for the end of every transaction before it, also of one that waits for
 * its turn.
 */
async function takeTurn(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ isMine: boolean }>`
    select pg_try_advisory_xact_lock(${LOCKS.migration}::bigint) as "isMine"`.execute(db);
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(db);
  return rows[0]?.isMine === true;
}
