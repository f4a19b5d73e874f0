import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startEmbeddedServer } from '../src/embedded-server/start-embedded-server.ts';
import { migrate } from '../src/migrations/migrate.ts';
import { withClient } from '../src/testing/create-test-database.ts';
import { createTestDatabase } from '../src/testing/index.ts';
import { dropDatabase } from './ground/drop-database.ts';
import { dumpSchema } from './ground/dump-schema.ts';

vi.setConfig({ testTimeout: 60_000 });

/** The database of a service that has just started for the first time. */
async function aFreshStart(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'ivs-fresh-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const server = await startEmbeddedServer({ dataDir: join(root, 'data'), settings: { fsync: 'off' } });
  onTestFinished(() => server.stop());
  await migrate({ connectionString: server.connectionString });
  return server.connectionString;
}

// Broke: the tests' databases had sixteen checks that production had not, so what they proved was proven elsewhere.
test('a fresh start has the schema of the tests’ databases, letter by letter', async () => {
  const { connectionString } = await createTestDatabase();
  onTestFinished(() => dropDatabase(connectionString));
  const tested = await withClient(connectionString, dumpSchema);
  expect(await withClient(await aFreshStart(), dumpSchema)).toBe(tested);
});

const REQUEST = {
  id: 'req_0000000000000000000000zzzz',
  account_id: 'acct_of_nobody',
  payer_id: 'p',
  payer_name: 'p',
  input: Buffer.from([0]),
};
const TOKEN = '00000000-0000-4000-8000-000000000001';
const of = (id: string) => ({ request_id: id });

/** Rows that no code of the service can read, by table, with the check that refuses each. */
const REFUSED: readonly (readonly [table: string, row: object, check: string])[] = [
  ['request', { ...REQUEST, outcome: 'banana', version: 1 }, 'request_outcome_check'],
  ['request', { ...REQUEST, outcome: 'complete', version: 1, delivery: 'lost' }, 'request_delivery_check'],
  ['request', { ...REQUEST, version: -3 }, 'request_version_of_outcome'],
  ['request', { ...REQUEST, channel: 'pigeon' }, 'request_channel_check'],
  ['request', { ...REQUEST, delivery: 'pending' }, 'request_delivers_outcome'],
  ['request', { ...REQUEST, lease_token: TOKEN }, 'request_lease_until'],
  [
    'request',
    { ...REQUEST, outcome: 'complete', version: 1, lease_token: TOKEN, lease_until: new Date() },
    'request_lease_of_unfinished',
  ],
  ['result', { ...of(REQUEST.id), version: 0, outcome: 'complete' }, 'result_version_check'],
  ['result', { ...of(REQUEST.id), version: 1, outcome: 'maybe' }, 'result_outcome_check'],
  ['verification_attempt', { ...of(REQUEST.id), number: 0 }, 'verification_attempt_number_check'],
  [
    'verification_attempt',
    { ...of(REQUEST.id), number: 1, outcome: 'lost', ended_at: new Date() },
    'verification_attempt_outcome_check',
  ],
  [
    'verification_attempt',
    { ...of(REQUEST.id), number: 1, channel: 'entry' },
    'verification_attempt_channel_check',
  ],
  ['verification_attempt', { ...of(REQUEST.id), number: 1, outcome: 'failed' }, 'verification_attempt_end'],
  ['delivery', { ...of(REQUEST.id), status: 'lost', done_at: new Date() }, 'delivery_status_check'],
  ['delivery', { ...of(REQUEST.id), status: 'delivered', done_at: null }, 'delivery_end'],
  [
    'delivery_attempt',
    { delivery_id: 'msg_0000000000000000000000zzzz', number: 0 },
    'delivery_attempt_number_check',
  ],
  ['x12_exchange', { ...of(REQUEST.id), duration_ms: -1 }, 'x12_exchange_duration_ms_check'],
];

/** Whatever else a row needs, of any value. */
async function insert(client: pg.Client, table: string, row: object): Promise<void> {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `select column_name as name, coalesce(domain_name, udt_name) as type from information_schema.columns
     where table_name = $1 and is_nullable = 'NO' and column_default is null`,
    [table],
  );
  const filler: Readonly<Record<string, unknown>> = {
    issued_id: 'x',
    text: 'working',
    int4: 1,
    timestamptz: new Date(),
    bytea: Buffer.from([0]),
    bool: false,
    _text: [],
  };
  const whole = { ...Object.fromEntries(columns.map(({ name, type }) => [name, filler[type]])), ...row };
  const names = Object.keys(whole);
  await client.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(whole),
  );
}

describe('a fresh start refuses what no code of the service can read', () => {
  test('each row, by its check', async () => {
    const connectionString = await aFreshStart();
    await withClient(connectionString, async (client) => {
      for (const [table, row, check] of REFUSED)
        await expect(insert(client, table, row), check).rejects.toMatchObject({
          code: '23514',
          constraint: check,
        });
      // With its values right, each table takes its row: it is the check that refused.
      await insert(client, 'request', REQUEST);
      await insert(client, 'result', { ...of(REQUEST.id), version: 1, outcome: 'complete' });
    });
  });

  test('every check of a table that is kept by month is proven by a row', async () => {
    const { connectionString } = await createTestDatabase();
    onTestFinished(() => dropDatabase(connectionString));
    const checks = await withClient(connectionString, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select conname as name from pg_constraint
         where contype = 'c' and conrelid in (select oid from pg_class where relkind = 'p') and conparentid = 0
         order by name`,
      );
      return rows.map(({ name }) => name);
    });
    expect(REFUSED.map(([, , check]) => check).toSorted()).toEqual(checks.toSorted());
  });
});
