import pg from 'pg';
import { onTestFinished } from 'vitest';

/** Counts the service's connections again and again; `stop` returns the most that there were at once. */
export async function watchSessions(databaseUrl: string): Promise<{ stop: () => Promise<number> }> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'watch' });
  await client.connect();
  let most = 0;
  let isStopped = false;
  const look = async () => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'insurance-verification'`,
    );
    most = Math.max(most, rows[0]?.count ?? 0);
  };
  const watching = (async () => {
    while (!isStopped) await look();
  })();
  const stop = async () => {
    isStopped = true;
    await watching;
    return most;
  };
  onTestFinished(async () => {
    await stop();
    await client.end();
  });
  return { stop };
}
