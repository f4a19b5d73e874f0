import type pg from 'pg';
import { clientFor } from '../../connection/client-for.ts';
import { LOCKS } from '../../locks.ts';
import type { OnlineMigration } from './online-migration.ts';

/**
 * Runs an online migration for a caller whose transaction has the turn and nothing else: an open snapshot or lock of it
 * would make a concurrent build wait for it forever. On a connection of its own, whose lock is held until its session's
 * end: that of a killed process may still build an index.
 * @param on the address to connect to; or the caller's own pooled client, whose transaction the steps are then part of.
 * @returns false when another process runs one.
 */
export async function runOnline(on: string | pg.ClientBase, { steps }: OnlineMigration): Promise<boolean> {
  if (typeof on !== 'string') {
    if (!(await takesLock(on, 'pg_try_advisory_xact_lock'))) return false;
    for (const step of steps) await step({ client: on, isConcurrent: false });
    return true;
  }
  const Client = clientFor(on);
  const client = new Client({ connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    if (!(await takesLock(client, 'pg_try_advisory_lock'))) return false;
    await client.query('set statement_timeout = 0');
    await client.query('set lock_timeout = 0');
    // Not on every platform. Without it an abandoned index is built to its end.
    await client.query(`set client_connection_check_interval = '1s'`).catch(() => undefined);
    for (const step of steps) await step({ client, isConcurrent: true });
    return true;
  } finally {
    await client.end();
  }
}

async function takesLock(
  client: pg.ClientBase,
  lock: 'pg_try_advisory_lock' | 'pg_try_advisory_xact_lock',
): Promise<boolean> {
  const { rows } = await client.query<{ isMine: boolean }>(`select ${lock}($1) as "isMine"`, [
    LOCKS.onlineMigration,
  ]);
  return rows[0]?.isMine === true;
}
