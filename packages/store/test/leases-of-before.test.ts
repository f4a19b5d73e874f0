import { randomUUID } from 'node:crypto';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openStore, releaseLeases, type Store } from '../src/index.ts';
import { migrate } from '../src/migrations/migrate.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { withClient } from '../src/testing/create-test-database.ts';
import { anEmptyDatabase } from './ground/empty-database.ts';
import { claimDue, finish } from './ground/stages.ts';
import { migrateThrough } from './version-before/migrate-through.ts';
import { readRecording } from './version-before/recording.ts';
import { startReplay } from './version-before/replay.ts';

vi.setConfig({ testTimeout: 60_000 });

const before = readRecording();
let connectionString = '';

const sql = (text: string, values: readonly unknown[] = []) =>
  withClient(connectionString, async (client) => (await client.query(text, [...values])).rows);

/** A database of the version before, with one delivery due. */
beforeEach(async () => {
  connectionString = await anEmptyDatabase();
  await migrateThrough(connectionString, { names: before.migrations, functions: before.functions });
  const older = await startReplay(connectionString, before);
  await older.say(before.morning);
  await older.close();
  await sql(
    `update delivery set status = 'delivered', done_at = now(), lease_token = null, lease_until = null
     where done_at is null and lease_token is not null`,
  );
});

async function aNewerProcess(): Promise<Store> {
  const store = await openStore({ connectionString, encryptionKey: before.encryptionKey });
  onTestFinished(() => store.close());
  return store;
}

/** What an older process writes when it claims whatever is unfinished. @returns how many rows it then holds. */
const claimAsBefore = async (leaseToken: string) => {
  const claimed = await sql(
    `update delivery set lease_token = $1, leased_at = now(), lease_until = now() + interval '10 seconds',
       claim_count = claim_count + 1
     where done_at is null returning id`,
    [leaseToken],
  );
  return claimed.length;
};

const endAsBefore = async (leaseToken: string) => {
  const ended = await sql(
    `update delivery set status = 'delivered', done_at = now(), lease_token = null, lease_until = null
     where lease_token = $1 returning id`,
    [leaseToken],
  );
  return ended.length;
};

/** Lets every lease of older and of newer processes lapse. */
async function lapse(): Promise<void> {
  await sql(`update delivery set lease_until = now() - interval '1 second' where lease_token is not null`);
  await sql(`update delivery_queue set leased_until = now() - interval '1 second' where lease is not null`);
}

// Without it a newer process would send what an older one is sending while the upgrade begins.
test('a lease that an older process has at the migration is its own until it ends', async () => {
  expect(await claimAsBefore(randomUUID())).toBe(1);
  await migrate({ connectionString });
  const newer = await aNewerProcess();
  expect(await claimDue(newer)).toEqual([]);
  await lapse();
  const [lease] = await claimDue(newer);
  expect(
    await sql('select outcome from delivery_attempt where delivery_id = $1', [lease?.deliveryId]),
  ).toEqual([{ outcome: 'worker_lost' }]);
});

// Broke: what an older process was sending when the migration began was refused at its end, and sent again.
test('an older process ends its attempts while the migration goes on', async () => {
  const leaseToken = randomUUID();
  expect(await claimAsBefore(leaseToken)).toBe(1);
  const all = Object.keys(migrations);
  const names = all.slice(0, all.indexOf('0015-delivery-leases') + 1);
  await migrateThrough(connectionString, { names, functions: [] });
  expect(await endAsBefore(leaseToken)).toBe(1);
  expect(await sql('select from delivery_queue')).toEqual([]);
});

// Without it both versions would send the same message while an upgrade rolls, or an older worker would end a newer one's.
test('an older process neither takes nor ends what a newer one holds', async () => {
  await migrate({ connectionString });
  const newer = await aNewerProcess();
  const stale = randomUUID();
  expect(await claimAsBefore(stale)).toBe(1);
  expect(await claimDue(newer)).toEqual([]);
  await lapse();
  const [lease] = await claimDue(newer);
  if (!lease) expect.fail('it is due');
  expect([await claimAsBefore(randomUUID()), await endAsBefore(stale)]).toEqual([0, 0]);
  await lapse();
  const taken = randomUUID();
  expect(await claimAsBefore(taken)).toBe(1);
  expect(await finish(newer, lease)).toBe(false);
  expect(await endAsBefore(taken)).toBe(1);
  expect(await sql('select from delivery_queue')).toEqual([]);
});

// Without it a claim of an older process would wait for a newer one, which may be waiting for a row of its own.
test('an older process waits for no row that a newer one is claiming', async () => {
  await migrate({ connectionString });
  const newer = await aNewerProcess();
  await newer.db.transaction().execute(async (trx) => {
    const leases = await claimDue({ ...newer, db: trx });
    expect(leases).toHaveLength(1);
    expect(await claimAsBefore(randomUUID())).toBe(0);
    await releaseLeases({ ...newer, db: trx }, leases);
  });
  expect(await claimAsBefore(randomUUID())).toBe(1);
});
