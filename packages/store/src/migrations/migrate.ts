import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { isPooled } from '../connection/is-pooled.ts';
import { setRoleTimeouts } from '../connection/role-timeouts.ts';
import { adoptUnreleased } from './adopt-unreleased.ts';
import { applyNext } from './apply-next.ts';
import { createMissingFunctions } from './create-missing-functions.ts';
import { databaseFunctions } from './database-functions.ts';
import { inMigrationTransaction } from './in-migration-transaction.ts';
import { laterMigrations } from './later-migrations.ts';
import { runOnline } from './run-online.ts';

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
  const done: string[] = [];
  let isOver = false;
  while (!isOver) {
    const runs = await withoutLongLocks(() =>
      inMigrationTransaction(connectionString, async (trx, client) => {
        await refuseOldServer(trx);
        if (!(await takeTurn(trx))) return { names: [], isLast: false, isBusy: true };
        await adoptUnreleased(trx);
        const later = await laterMigrations(trx);
        if (later.length > 0) onLaterVersion(later);
        const online = (await isPooled(client)) ? client : connectionString;
        const applied = later.length > 0 ? [] : await applyNext(trx, (one) => runOnline(online, one));
        if (applied.length > 0) return { names: applied, isLast: false, isBusy: false };
        // Also on a later version's tables: that version may have dropped a function that this one calls.
        const created = await createMissingFunctions(trx, databaseFunctions);
        if (isSame) await setRoleTimeouts(trx);
        return { names: created, isLast: true, isBusy: false };
      }),
    );
    done.push(...runs.flatMap(({ names }) => names));
    isOver = runs.at(-1)?.isLast === true;
    if (runs.at(-1)?.isBusy) await pause(TURN_PAUSE_MS);
  }
  onMigrated?.();
  // Run as the role itself: it may always set its own defaults, while another's need more rights than a migration does.
  // And run afterwards: starts that wait for their turn may hold every backend of a pooler.
  for (let isSet = isSame; !isSet;) {
    const runs = await inMigrationTransaction(serviceConnectionString, async (trx) => {
      const isMine = await takeTurn(trx);
      if (isMine) await setRoleTimeouts(trx);
      return isMine;
    });
    isSet = runs.at(-1) === true;
    if (!isSet) await pause(TURN_PAUSE_MS);
  }
  return done;
}

/**
 * Whether this transaction may migrate; until its end, even when the process is killed or the migration fails. It does
 * not wait: a concurrent build of an index waits for the end of every transaction before it, also of one that waits for
 * its turn.
 */
async function takeTurn(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ isMine: boolean }>`
    select pg_try_advisory_xact_lock(${LOCK}::bigint) as "isMine"`.execute(db);
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(db);
  return rows[0]?.isMine === true;
}

const TURN_PAUSE_MS = 100;

/** Below the 1.2 s after which a call of the service gives up waiting for a lock. */
const LOCK_TIMEOUT_MS = 800;

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
 * behind it, so it gives up soon and comes again.
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
