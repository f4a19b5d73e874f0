import { type Kysely, sql } from 'kysely';
import { LOCKS } from '../locks.ts';

/** Below the 1.2 s after which a call of the service gives up waiting for a lock. */
const LOCK_TIMEOUT_MS = 800;

export const TURN_PAUSE_MS = 100;

/**
 * Whether this transaction may migrate; until its end, even when the process is killed or the migration fails. It does
 * not wait: a concurrent build of an index waits for the end of every transaction before it, also of one that waits for
 * its turn.
 */
export async function takeTurn(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ isMine: boolean }>`
    select pg_try_advisory_xact_lock(${LOCKS.migration}::bigint) as "isMine"`.execute(db);
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(db);
  return rows[0]?.isMine === true;
}
