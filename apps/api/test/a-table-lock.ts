import { until } from '@insurance-verification/testing/until';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { rows } from './rows.ts';

/** A table nobody may write to, so that calls can be caught while they run. Readers pass, unless it is said otherwise. */
export async function aTableLock(
  databaseUrl: string,
  table: 'request' | 'delivery' | 'rate_budget',
  mode: 'exclusive' | 'access exclusive' = 'exclusive',
) {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // the database may go away under a test
  await client.connect();
  await client.query(`begin; lock table ${table} in ${mode} mode`);
  let released = false;
  const release = async () => {
    if (released) return;
    released = true;
    await client.query('rollback');
    await client.end();
  };
  onTestFinished(release);
  return {
    /** Resolves once so many sessions wait for it. */
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
