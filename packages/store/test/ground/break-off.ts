import { expect } from 'vitest';
import { withClient } from '../../src/testing/create-test-database.ts';
import type { TestStores } from './open-test-stores.ts';

/** What somebody holds, and how the statement begins that waits for it. */
export type Break = readonly [holding: string, waitingIn: string];

/** Runs an operation until one of its statements waits for what somebody holds, and ends its session there. */
export async function breakOff(
  { connectionString, sql }: Pick<TestStores, 'connectionString' | 'sql'>,
  [holding, waitingIn]: Break,
  operation: () => Promise<unknown>,
): Promise<void> {
  await withClient(connectionString, async (client) => {
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('begin');
    await client.query(holding);
    const running = operation();
    running.catch(() => undefined); // looked at below
    const ended = () =>
      sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like $1 || '%'`,
        [waitingIn],
      );
    await expect.poll(async () => (await ended()).length, { timeout: 20_000 }).toBe(1);
    await expect(running).rejects.toThrow();
    await client.query('rollback');
  });
}
