import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Kysely, PostgresDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dumpSchema } from '../../../test/ground/dump-schema.ts';
import { anEmptyDatabase } from '../../../test/ground/empty-database.ts';
import { withClient } from '../../testing/create-test-database.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations.ts';
import { isOnline } from './online-migration.ts';

vi.setConfig({ testTimeout: 180_000 });

/** A database as the version before the queues left it, with rows as they were then. */
async function aDatabaseOfBefore(rowCount: number): Promise<string> {
  const connectionString = await anEmptyDatabase();
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString, max: 1 }) }),
  });
  const before = Object.entries(migrations).filter(
    (entry): entry is [string, Migration] => entry[0] < '0008-queues' && !isOnline(entry[1]),
  );
  const provider = { getMigrations: async () => Object.fromEntries(before) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
  await db.destroy();
  await withClient(connectionString, async (client) => {
    await client.query('set statement_timeout = 0');
    await client.query(
      `insert into account (id, name, kind, mode, webhook_secret) values ('acct_1', '"x"', 'provider', 'live', '')`,
    );
    // Of four, two wait, one is delivered, and one is still to be delivered or exhausted.
    await client.query(
      `insert into request (id, account_id, payer_id, payer_name, input, outcome, version, delivery)
       select 'req_' || lpad(n::text, 26, '0'), 'acct_1', 'plan-' || n % 4, 'Plan', '\\x00'::bytea,
         case when n % 4 < 2 then 'none' else 'complete' end, case when n % 4 < 2 then 0 else 1 end,
         case when n % 4 < 2 then 'none' when n % 4 = 2 then 'delivered' when n % 8 = 3 then 'pending' else 'exhausted' end
       from generate_series(1, $1::int) n`,
      [rowCount],
    );
    await client.query(`insert into result (request_id, version, outcome, body, digest)
      select id, 1, outcome, '', '' from request where version = 1 and (delivery <> 'delivered' or id like '%2')`);
    await client.query(`insert into delivery (id, request_id, version, account_id, destination, destination_host, body,
        status, done_at)
      select 'msg_' || substr(id, 5), id, 1, account_id, '', '', result.body, delivery,
        case when delivery <> 'pending' then now() end
      from request join result on result.request_id = id`);
  });
  return connectionString;
}

/** Creates requests as the version before does, and finishes every other one, until told to stop; as impatient as a caller of the service. */
function underLoad(connectionString: string) {
  let isOver = false;
  let createdCount = 0;
  const lane = (number: number) =>
    withClient(connectionString, async (client) => {
      await client.query(`set lock_timeout = '1s'`);
      while (!isOver) {
        const id = `req_01${number}${String(createdCount).padStart(23, '0')}`;
        createdCount += 1;
        await client.query(
          `with created as (insert into request (id, account_id, payer_id, payer_name, input)
            values ($1, 'acct_1', 'plan-1', 'Plan', ''))
          insert into access_log (key_id, account_id, operation, request_id)
          values ('key_1', 'acct_1', 'requests.create', $1)`,
          [id],
        );
        if (createdCount % 2 === 0)
          await client.query(
            `with attempt as (insert into verification_attempt (request_id, number, account_id, payer_id)
              values ($1, 1, 'acct_1', 'plan-1')),
            result as (insert into result (request_id, version, outcome, body, digest)
              values ($1, 1, 'complete', '', ''))
            update request set outcome = 'complete', version = 1 where id = $1`,
            [id],
          );
      }
    });
  const lanes = Promise.all([1, 2].map(lane));
  lanes.catch(() => undefined); // reported by stop
  return {
    createdCount: () => createdCount,
    stop: async () => {
      isOver = true;
      await lanes;
    },
  };
}

/** The unfinished rows that their queue lacks or tells wrongly, and the queued ones that are finished. */
const MISTAKES = `
  (select id, account_id, channel, greatest(work_due_at, lease_until) from request where outcome = 'none'
   except select request_id, account_id, channel, due_at from work_queue)
  union all (select request_id, account_id, channel, due_at from work_queue
   except select id, account_id, channel, greatest(work_due_at, lease_until) from request where outcome = 'none')
  union all (select id, account_id, '', run_at from delivery where done_at is null
   except select delivery_id, account_id, '', run_at from delivery_queue)
  union all (select delivery_id, account_id, '', run_at from delivery_queue
   except select id, account_id, '', run_at from delivery where done_at is null)
  union all select id, account_id, 'undelivered', null from request where undelivered <> (delivery = 'exhausted')
  union all select id, account_id, 'exhausted', done_at from delivery
   where exhausted_at is distinct from case when status = 'exhausted' then done_at end`;

/** Another process that migrates, to be killed. */
function aMigrator(connectionString: string) {
  const program = fileURLToPath(new URL('../migrate.fixture.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--conditions=@insurance-verification/source', program, connectionString],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    kill: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** The id up to which the first move of rows has come. */
const placeOf = (connectionString: string) =>
  withClient(connectionString, async (client) => {
    const { rows: tables } = await client.query(`select where to_regclass('online_progress') is not null`);
    if (tables.length === 0) return null;
    const { rows } = await client.query<{ last: string | null }>(
      `select last from online_progress where migration = '0009-queue-indexes' and step = 0`,
    );
    return rows[0]?.last ?? null;
  });

// Broke: an index was built inside the migrations' transaction, and no create was taken for as long as that took.
test('no create waits a second for a lock while a filled database is migrated, a kill in the middle too, and every row finds its queue', async () => {
  const connectionString = await aDatabaseOfBefore(200_000);
  const load = underLoad(connectionString);
  await expect.poll(() => load.createdCount()).toBeGreaterThan(10);
  const migrator = aMigrator(connectionString);
  await expect.poll(() => placeOf(connectionString), { timeout: 60_000, interval: 20 }).not.toBeNull();
  await migrator.kill();
  // A row that was moved before the kill is not looked at again.
  const [moved] = await withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ request_id: string }>(
      `delete from work_queue where request_id = (select min(request_id) from work_queue) returning request_id`,
    );
    return rows.map((row) => row.request_id);
  });
  await migrate({ connectionString });
  const createdMeanwhile = load.createdCount();
  await load.stop();
  expect(createdMeanwhile).toBeGreaterThan(10);
  await withClient(connectionString, async (client) => {
    await client.query('set statement_timeout = 0');
    expect((await client.query<{ id: string }>(MISTAKES)).rows.map(({ id }) => id)).toEqual([moved]);
    await expect(await dumpSchema(client)).toMatchFileSnapshot('../../../test/golden/schema.txt');
  });
});

// Without it a build that was interrupted would leave an index that slows every write and serves no read, for good.
test('an index whose build broke off is built again', async () => {
  const connectionString = await aDatabaseOfBefore(100);
  await withClient(connectionString, async (client) => {
    const broken = client.query('create unique index concurrently request_listed on request (payer_id)');
    await expect(broken).rejects.toThrow('could not create unique index');
  });
  await migrate({ connectionString });
  await withClient(connectionString, async (client) => {
    expect((await client.query('select from pg_index where not indisvalid')).rows).toEqual([]);
    await expect(await dumpSchema(client)).toMatchFileSnapshot('../../../test/golden/schema.txt');
  });
});

// Without it a backup under way would make the migration wait for its table, and every create behind the migration.
test('a migration that cannot have a table at once lets the creates pass, and comes again', async () => {
  const connectionString = await aDatabaseOfBefore(100);
  const reader = new pg.Client({ connectionString });
  await reader.connect();
  onTestFinished(() => reader.end());
  await reader.query('begin');
  await reader.query('select from request limit 1'); // as pg_dump holds it
  const load = underLoad(connectionString);
  const migrated = migrate({ connectionString });
  const waiters = new Set<number>();
  await expect
    .poll(
      () =>
        withClient(connectionString, async (client) => {
          const { rows } = await client.query<{ pid: number }>(
            `select pid from pg_locks where not granted and relation = 'request'::regclass and mode like 'AccessExc%'`,
          );
          for (const { pid } of rows) waiters.add(pid);
          return waiters.size;
        }),
      { timeout: 30_000 },
    )
    .toBeGreaterThan(1);
  await reader.query('commit');
  await migrated;
  await load.stop();
});
