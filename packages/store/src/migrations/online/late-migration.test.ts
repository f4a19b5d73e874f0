import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { anEmptyDatabase } from '../../../test/ground/empty-database.ts';
import { createTestDatabase, withClient } from '../../testing/create-test-database.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations.ts';
import type { Migrations } from '../missing-migrations.ts';
import { createIndex } from './online-migration.ts';
import { runLateMigration } from './run-late-migration.ts';

vi.setConfig({ testTimeout: 60_000 });

const LATE = '9990-late';
const known: Migrations = {
  ...migrations,
  [LATE]: { isLate: true, steps: [createIndex('work_queue_late', 'work_queue (payer_id)')] },
};
/** Of the next version, which needs it. */
const next: Migrations = {
  ...known,
  '9991-next': {
    up: async (db) => void (await sql`comment on index work_queue_late is 'needed'`.execute(db)),
  },
};

const aDatabase = async () => (await createTestDatabase()).connectionString;

/** As a start does it. */
async function start(connectionString: string, of = known) {
  const late: string[] = [];
  const applied = await migrate({ connectionString, known: of, onLate: (names) => late.push(...names) });
  return { late, applied };
}

const runLate = (connectionString: string, signal?: AbortSignal) =>
  runLateMigration({ connectionString, known, onBegin: () => undefined, ...(signal && { signal }) });

/** Whether the late index can be read by. */
const isBuilt = (connectionString: string) =>
  withClient(connectionString, async (client) => {
    const { rows } = await client.query(
      `select from pg_index where indexrelid = to_regclass('work_queue_late') and indisvalid`,
    );
    return rows.length === 1;
  });

/** A transaction that a concurrent build has to wait for. */
async function aWriter(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('set idle_in_transaction_session_timeout = 0');
  await client.query('begin');
  await client.query('lock table work_queue in row exclusive mode');
  return { commit: () => client.query('commit') };
}

const buildsUnderWay = (connectionString: string, count: number) =>
  expect
    .poll(
      () =>
        withClient(connectionString, async (client) => {
          const { rows } = await client.query(
            `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
             and query like 'create index concurrently work_queue_late%' and wait_event_type = 'Lock'`,
          );
          return rows.length;
        }),
      { timeout: 20_000 },
    )
    .toBe(count);

// Without it a service would not be up before the indexes of an upgrade are built, hours later.
test('a start leaves a late migration behind, and it is recorded when it has ended', async () => {
  const connectionString = await aDatabase();
  expect(await start(connectionString)).toEqual({ late: [LATE], applied: [] });
  expect(await isBuilt(connectionString)).toBe(false);
  expect(await runLate(connectionString)).toEqual({ kind: 'ended', name: LATE, leftCount: 0 });
  expect(await isBuilt(connectionString)).toBe(true);
  expect(await runLate(connectionString)).toEqual({ kind: 'none' });
  expect(await start(connectionString)).toEqual({ late: [], applied: [] });
});

test('a new database, and whoever asks for all at once, have it at once', async () => {
  const connectionString = await anEmptyDatabase();
  const { late, applied } = await start(connectionString);
  expect([late, applied.includes(LATE)]).toEqual([[], true]);
  expect(await migrate({ connectionString: await aDatabase(), known })).toEqual([LATE]);
});

// Without it a table could change on which an index is being built, or that a later migration expects.
test('a migration after it waits until it has ended, whoever runs it', async () => {
  const connectionString = await aDatabase();
  const writer = await aWriter(connectionString);
  const running = runLate(connectionString);
  await buildsUnderWay(connectionString, 1);
  // Another start of the same version does not wait, and does not build it a second time.
  expect(await start(connectionString)).toEqual({ late: [LATE], applied: [] });
  expect(await runLate(connectionString)).toEqual({ kind: 'busy' });
  const tries: string[] = [];
  const upgraded = migrate({
    connectionString,
    known: next,
    onOnline: (name) => tries.push(name),
    onLate: () => undefined,
  });
  await expect.poll(() => tries.length, { timeout: 20_000 }).toBeGreaterThan(1);
  await writer.commit();
  expect(await running).toEqual({ kind: 'ended', name: LATE, leftCount: 0 });
  expect(await upgraded).toEqual(['9991-next']);
});

test('a version that needs it runs it first', async () => {
  const connectionString = await aDatabase();
  expect(await start(connectionString, next)).toEqual({ late: [], applied: [LATE, '9991-next'] });
});

// Without it a stopped process would wait for its build, or the server go on with it for nobody.
test('one that is broken off ends on the server too, and goes on later', async () => {
  const connectionString = await aDatabase();
  await start(connectionString);
  const writer = await aWriter(connectionString);
  const stopping = new AbortController();
  const running = runLate(connectionString, stopping.signal);
  running.catch(() => undefined); // awaited below
  await buildsUnderWay(connectionString, 1);
  stopping.abort();
  await expect(running).rejects.toThrow();
  await buildsUnderWay(connectionString, 0);
  await writer.commit();
  expect(await runLate(connectionString)).toMatchObject({ kind: 'ended' });
  expect(await isBuilt(connectionString)).toBe(true);
});
