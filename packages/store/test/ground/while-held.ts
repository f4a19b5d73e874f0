import type pg from 'pg';
import { expect } from 'vitest';
import { withClient } from '../../src/testing/create-test-database.ts';
import type { TestStores } from './open-test-stores.ts';

/** A statement that writes rows which the operation wants. */
export type Hold = readonly [text: string, values: readonly unknown[]];

/**
 * Runs an operation while another session has written rows that it wants, and lets that commit once the operation waits
 * for it: it then takes up the rows' new versions, and checks its conditions again on them.
 */
export async function whileHeld<T>(
  { connectionString, sql }: Pick<TestStores, 'connectionString' | 'sql'>,
  [text, values]: Hold,
  operation: () => Promise<T>,
): Promise<T> {
  return withClient(connectionString, async (client: pg.ClientBase) => {
    await client.query('begin');
    const { rowCount } = await client.query(text, [...values]);
    if (rowCount === 0) throw new Error('It holds nothing.');
    const running = operation();
    running.catch(() => undefined); // reported below
    const waiting = () =>
      sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBeGreaterThan(0);
    await client.query('commit');
    return running;
  });
}
