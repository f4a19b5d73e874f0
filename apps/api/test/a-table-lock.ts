import { until } from '@insurance-verification/testing/until';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { rows } from './rows.ts';

/** Locks a table against writes, so that calls can be caught while they run. Readers pass, unless stated otherwise. */
export async function aTableLock(
  databaseUrl: string,
  table: 'request' | 'work_queue' | 'delivery' | 'rate_budget',
  mode: 'exclusive' | 'access exclusive' = 'exclusive',
) {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // a test may stop the database
  await client.connect();
  // The service's role ends idle transactions after 15 s: on a busy machine the waiting may take longer.
  await client.query(
    `begin; set local idle_in_transaction_session_timeout = 0; lock table ${table} in ${mode} mode`,
  );
  let released = false;
  const release = async () => {
    if (released) return;
    released = true;
    await client.query('rollback');
    await client.end();
  };
  onTestFinished(release);
  return {
    /** Resolves once this many sessions wait for the lock. */
    waitedForBy: (count: number) =>
      until(`${count} sessions wait for ${table}`, async () => {
        const [row] = await rows<{ count: number }>(
          databaseUrl,
          `select count(*)::int as count from pg_locks where relation = $1::regclass and not granted`,
          [table],
        );
        return (row?.count ?? 0) >= count;
      }),
    release,
  };
}
