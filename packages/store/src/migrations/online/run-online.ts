import type { Socket } from 'node:net';
import type pg from 'pg';
import { clientFor } from '../../connection/client/client-for.ts';
import { LOCKS } from '../../locks.ts';
import type { NamedMigration } from '../missing-migrations.ts';
import type { OnlineMigration } from './online-migration.ts';
import { openProgress } from './online-progress.ts';

/**
 * Runs work on a connection of its own, outside of a transaction, while no other process runs an online migration. Until
 * the session's end: that of a killed process may still build an index.
 * @param signal cuts the connection, and with it what the server does for it.
 * @returns false when another process runs one.
 */
export async function inOnlineTurn(
  connectionString: string,
  work: (client: pg.ClientBase) => Promise<void>,
  signal?: AbortSignal,
): Promise<boolean> {
  const Client = clientFor(connectionString);
  const client = new Client({ connectionTimeoutMillis: 10_000 });
  const cut = () => void (client.connection.stream as Socket).destroy();
  await client.connect();
  signal?.addEventListener('abort', cut);
  try {
    signal?.throwIfAborted();
    const { rows } = await client.query<{ isMine: boolean }>('select pg_try_advisory_lock($1) as "isMine"', [
      LOCKS.onlineMigration,
    ]);
    if (!rows[0]?.isMine) return false;
    await client.query('set statement_timeout = 0');
    await client.query('set lock_timeout = 0');
    // Not on every platform. Without it an index that nobody waits for is built to its end.
    await client.query(`set client_connection_check_interval = '1s'`).catch(() => undefined);
    await work(client);
    return true;
  } finally {
    signal?.removeEventListener('abort', cut);
    await client.end();
  }
}

/** Runs the steps that are not done, each from where a killed process left it. */
export async function runSteps(
  client: pg.ClientBase,
  { name, migration: { steps } }: NamedMigration<OnlineMigration>,
): Promise<void> {
  const progress = await openProgress(client, name);
  for (const [index, step] of steps.entries()) {
    if (progress.isDone(index)) continue;
    await step({ client, isConcurrent: true, place: progress.placeOf(index) });
    await progress.end(index);
  }
  await progress.forget();
}

/**
 * Runs an online migration for a caller whose transaction has the turn and nothing else: an open snapshot or lock of it
 * would make a concurrent build wait for it forever.
 * @param on the address to connect to; or the caller's own pooled client, whose transaction the steps are then part of.
 * @returns false when another process runs one.
 */
export async function runOnline(
  on: string | pg.ClientBase,
  next: NamedMigration<OnlineMigration>,
): Promise<boolean> {
  if (typeof on === 'string') return inOnlineTurn(on, (client) => runSteps(client, next));
  const { rows } = await on.query<{ isMine: boolean }>('select pg_try_advisory_xact_lock($1) as "isMine"', [
    LOCKS.onlineMigration,
  ]);
  if (!rows[0]?.isMine) return false;
  for (const step of next.migration.steps) await step({ client: on, isConcurrent: false });
  return true;
}
