import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount } from '../../../test/ground/stages.ts';
import { underLoad } from '../../../test/ground/under-load.ts';
import { makeMonths } from '../../partitions/make-months.ts';
import { monthAfter, monthAt, startOf } from '../../partitions/month.ts';
import { partitionOf } from '../../partitions/monthly-tables.ts';
import { withClient } from '../../testing/create-test-database.ts';
import { monthsPassed } from '../../testing/months-passed.ts';
import { createIndex, dropIndex, type OnlineStep } from './online-migration.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql, connectionString } = stores;
const caller = await anAccount(store);
const INDEX = 'result_tried';
const present = monthAt(Date.now());

beforeAll(async () => {
  await monthsPassed(stores, 2);
  await makeMonths(connectionString);
}, 60_000);

/** As `migrate` does: again and again, while a step cannot have its lock at once. */
async function run(step: OnlineStep): Promise<number> {
  return withClient(connectionString, async (client) => {
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    for (let count = 1; ; count += 1) {
      try {
        await step({ client, isConcurrent: true });
        return count;
      } catch (err) {
        if (!(err instanceof pg.DatabaseError && err.code === '55P03')) throw err;
      }
    }
  });
}

/** The partitions of results, and whether each has the index. */
const partitions = () =>
  sql<{ name: string; isIndexed: boolean }>(
    `select part.relname as name, exists (
       select from pg_index join pg_inherits attached on attached.inhrelid = indexrelid
       where indrelid = part.oid and indisvalid and attached.inhparent = to_regclass('${INDEX}')) as "isIndexed"
     from pg_inherits join pg_class part on part.oid = inhrelid where inhparent = 'result'::regclass order by 1`,
  );
const isValid = async () =>
  (await sql(`select from pg_index where indexrelid = to_regclass('${INDEX}') and indisvalid`)).length === 1;

/** Results of requests that come meanwhile, by a caller that waits a second for a lock at most. */
const resultsCome = () =>
  underLoad(stores, '1s', async (impatient) => () => aFinishedRequest(impatient, caller));

// Broke: PostgreSQL refuses to build an index of a table with partitions concurrently, so no later version could add one
// without locking out the writers of all months.
test('each month gets its index beside its use, and a month to come is made with it', async () => {
  const load = resultsCome();
  await expect.poll(() => load.count(), { timeout: 20_000 }).toBeGreaterThan(1);
  const writer = new pg.Client({ connectionString });
  await writer.connect();
  await writer.query('set idle_in_transaction_session_timeout = 0');
  await writer.query('begin');
  await writer.query(`lock table ${partitionOf('result', present)} in row exclusive mode`);
  const built = run(createIndex(INDEX, 'result (applied_at)'));
  const waits = () =>
    sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like 'create index concurrently ${partitionOf('result', present)}_tried%'`);
  await expect.poll(async () => (await waits()).length, { timeout: 20_000 }).toBe(1);
  const before = load.count();
  await expect.poll(() => load.count(), { timeout: 20_000 }).toBeGreaterThan(before + 3);
  await writer.query('commit');
  await writer.end();
  await built;
  await load.stop();
  expect(await isValid()).toBe(true);
  await makeMonths(connectionString, startOf(monthAfter(present, 1)));
  expect(await partitions()).toContainEqual({
    name: partitionOf('result', monthAfter(present, 3)),
    isIndexed: true,
  });
  expect((await partitions()).filter(({ isIndexed }) => !isIndexed)).toEqual([]);
});

// Without it a build that was interrupted in one month would leave the index of all of them unread, for good.
test('a build that broke off in one month goes on there', async () => {
  await run(dropIndex(INDEX));
  expect((await partitions()).filter(({ isIndexed }) => isIndexed)).toEqual([]);
  const part = partitionOf('result', present);
  await sql(`create index ${INDEX} on only result (applied_at)`);
  await expect(
    sql(`create unique index concurrently ${part}_tried on ${part} ((outcome is not null))`),
  ).rejects.toThrow('could not create unique index');
  await run(createIndex(INDEX, 'result (applied_at)'));
  expect(await isValid()).toBe(true);
  expect((await partitions()).filter(({ isIndexed }) => !isIndexed)).toEqual([]);
  expect(await run(createIndex(INDEX, 'result (applied_at)'))).toBe(1);
});
