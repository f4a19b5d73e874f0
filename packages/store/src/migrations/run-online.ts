import type pg from 'pg';
import { clientFor } from '../connection/client-for.ts';
import type { OnlineMigration } from './online-migration.ts';

/**
 * Runs the steps on a connection of their own, outside of a transaction. The caller's transaction has the turn and
 * nothing else: an open snapshot or lock of it would make a concurrent build wait for it forever.
 * @param on the address to connect to; or the caller's own pooled client, whose transaction the steps are then part of.
 */
export async function runOnline(on: string | pg.ClientBase, { steps }: OnlineMigration): Promise<void> {
  if (typeof on !== 'string') {
    for (const step of steps) await step({ client: on, isConcurrent: false });
    return;
  }
  const Client = clientFor(on);
  const client = new Client({ connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // the next statement reports it
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('set lock_timeout = 0');
    for (const step of steps) await step({ client, isConcurrent: true });
  } finally {
    await client.end();
  }
}
