import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aServer } from '../../test/ground/a-server.ts';
import { aWatchedStore, errorOf, write } from '../../test/ground/a-watched-store.ts';
import { aSwallowingProxy } from '../../test/ground/swallowing-proxy.ts';
import { withoutFlush } from '../connection/role-settings.ts';
import { checkWritable, isDatabaseUnavailable, type Store } from '../index.ts';
import type { OwnServer } from '../testing/own-server.ts';

// Slow: probes are cut after ten real seconds.

vi.setConfig({ testTimeout: 60_000 }); // each starts a server
const patiently = { timeout: 20_000 };

const writeInTransaction = (store: Store, note: string) =>
  store.db
    .transaction()
    .execute((trx) => sql`insert into access_log (operation) values (${note})`.execute(trx));

/** Requires a standby that does not exist, so every commit waits for it. */
const freeze = (server: OwnServer) => server.set('synchronous_standby_names', 'nobody');
const thaw = (server: OwnServer) => server.set('synchronous_standby_names', '');

// Broke: a hanging commit was answered after 17 s, its connection given up, and each next commit opened another.
test('commits that hang are reported to their callers, the next writes are refused at once, reads continue', async () => {
  const server = await aServer();
  const { store, reported } = await aWatchedStore(server);
  await checkWritable(store);
  // Opens the pool's connections, so that all twenty reach their commit before the watch reports that commits hang.
  await Promise.all(Array.from({ length: 20 }, () => sql`select pg_sleep(0.2)`.execute(store.db)));
  await freeze(server);
  const hanging = [
    ...Array.from({ length: 12 }, (_, index) => write(store, `hangs ${index}`)),
    ...Array.from({ length: 8 }, (_, index) => writeInTransaction(store, `hangs too ${index}`)),
  ];
  const errors = await Promise.all(hanging.map(errorOf));
  expect(errors.filter((err) => !isDatabaseUnavailable(err))).toEqual([]);
  expect(reported).toEqual([true]);
  const heldCount = (await server.waitingPids()).length;
  for (let round = 0; round < 30; round += 1) {
    expect(await errorOf(write(store, 'refused'))).toSatisfy(isDatabaseUnavailable);
    expect(await errorOf(writeInTransaction(store, 'refused'))).toSatisfy(isDatabaseUnavailable);
    expect(await errorOf(checkWritable(store))).toSatisfy(isDatabaseUnavailable);
    await sql`select count(*) from access_log`.execute(store.db);
  }
  // One fewer, once the first probes are cut after ten seconds.
  expect((await server.waitingPids()).length).toBeLessThanOrEqual(heldCount);
  expect(heldCount).toBeLessThanOrEqual(22); // the hanging commits, and two probes
  await thaw(server);
  await expect.poll(() => reported, patiently).toEqual([true, false]);
  await expect.poll(() => server.waitingPids(), patiently).toEqual([]);
  await checkWritable(store);
  await write(store, 'again');
  await writeInTransaction(store, 'again');
  // The outcome of the hanging commits was unknown, and all had been committed; none of the refused ones was.
  const { rows } = await sql<{ operation: string; count: number }>`
    select split_part(operation, ' ', 1) as operation, count(*)::int as count from access_log
    group by 1 order by 1`.execute(store.db);
  expect(rows).toEqual([
    { operation: 'again', count: 2 },
    { operation: 'hangs', count: 20 },
  ]);
  expect((await server.waitingPids()).length).toBe(0);
});

// Without it a worker would lose the leases of deliveries in progress, and send them again.
test('what waits for no standby continues while commits hang', async () => {
  const server = await aServer();
  const { store, reported } = await aWatchedStore(server);
  await freeze(server);
  expect(await errorOf(write(store, 'hangs'))).toSatisfy(isDatabaseUnavailable);
  expect(reported).toEqual([true]);
  const { rows } =
    await sql`update request set sandbox = false where false returning ${withoutFlush}`.execute(store.db);
  expect(rows).toEqual([]);
  await thaw(server);
  await expect.poll(() => reported, patiently).toEqual([true, false]);
});

// Without it a transaction in progress when commits began to hang would block one more connection.
test('a transaction that comes to its commit while commits hang is rolled back', async () => {
  const server = await aServer();
  const { store, reported } = await aWatchedStore(server);
  // Opens both connections, so that what hangs reaches its commit before the watch reports that commits hang.
  await Promise.all([1, 2].map(() => sql`select pg_sleep(0.2)`.execute(store.db)));
  const slow = store.db.transaction().execute(async (trx) => {
    await sql`insert into access_log (operation) values ('slow')`.execute(trx);
    await freeze(server);
    await errorOf(write(store, 'hangs'));
  });
  expect(await errorOf(slow)).toSatisfy(isDatabaseUnavailable);
  await thaw(server);
  await expect.poll(() => reported, patiently).toEqual([true, false]);
  // New commits pass as soon as the server reads its settings; the one that hangs is let go a moment later.
  await expect.poll(() => server.waitingPids(), patiently).toEqual([]);
  const { rows } = await sql`select operation from access_log`.execute(store.db);
  expect(rows).toEqual([{ operation: 'hangs' }]);
});

// Without it a merely slow statement would fail, and everything else with it.
test('a slow statement and a dead connection are no commits that hang', async () => {
  const server = await aServer();
  const proxy = await aSwallowingProxy(server.connectionString);
  const { store, reported } = await aWatchedStore(server, proxy.connectionString);
  await checkWritable(store);
  await sql`select pg_sleep(2)`.execute(store.db);
  proxy.swallow(); // the probe's connection too
  const swallowed = errorOf(write(store, 'swallowed'));
  await sql`select pg_sleep(2)`.execute(store.db).catch(() => undefined);
  await write(store, 'on a new connection').catch(() => undefined);
  await checkWritable(store);
  expect(reported).toEqual([]);
  proxy.cut();
  expect(await swallowed).toSatisfy(isDatabaseUnavailable);
});

// Broke: behind PgBouncer a statement waited 17 s for a server that was gone, while nobody could connect any more.
test('a statement under way is given up when new connections fail', async () => {
  const server = await aServer();
  const { store, reported } = await aWatchedStore(server);
  await checkWritable(store);
  const waiting = errorOf(sql`select pg_sleep(10)`.execute(store.db));
  await server.admin(
    'alter role insurance_verification nologin',
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'insurance-verification-probe'`,
  );
  expect(await waiting).toMatchObject({ code: '28000' });
  expect(reported).toEqual([]);
});

// Broke: each idle connection to a server that had frozen held one more read for 17 s.
test('a frozen server is taken for one whose commits hang, and what reads is refused too', async () => {
  const server = await aServer();
  const { store, reported } = await aWatchedStore(server);
  await checkWritable(store);
  const reads = () => Promise.all(Array.from({ length: 5 }, () => errorOf(sql`select 1`.execute(store.db))));
  expect(await reads()).toEqual([null, null, null, null, null]);
  const frozen = await server.freeze();
  onTestFinished(frozen.thaw);
  const hung = { code: 'commits_hang' };
  expect(await errorOf(write(store, 'hangs'))).toMatchObject(hung);
  expect(reported).toEqual([true]);
  expect(await errorOf(sql`select 1`.execute(store.db))).toMatchObject(hung);
  frozen.thaw();
  await expect.poll(() => reported, patiently).toEqual([true, false]);
  await write(store, 'again');
});

// Without it each second of a hanging server would leave another backend behind, until its connections run out.
test('while commits hang for long, the probes hold two backends at most', async () => {
  const server = await aServer();
  const { store, reported } = await aWatchedStore(server);
  await freeze(server);
  expect(await errorOf(checkWritable(store))).toSatisfy(isDatabaseUnavailable);
  const seen = new Set<number>();
  const look = async () => {
    const pids = await server.waitingPids();
    for (const pid of pids) seen.add(pid);
    return pids.length;
  };
  expect(await look()).toBeLessThanOrEqual(2);
  const [first = 0] = seen;
  await expect.poll(async () => ((await look()) <= 2 ? seen.size : 'too many'), patiently).toBeGreaterThan(1);
  await expect
    .poll(async () => server.admin(`select from pg_stat_activity where pid = ${first}`), patiently)
    .toEqual([]);
  expect(reported).toEqual([true]); // a cancelled probe does not count as a completed commit
  await thaw(server);
  await expect.poll(() => reported, patiently).toEqual([true, false]);
});

// Without it a load balancer's check each second, or a stranger's thousand, would each be a commit.
test('however many ask, one commit a second answers', async () => {
  const server = await aServer();
  const { store } = await aWatchedStore(server);
  const written = async () => {
    const [row] = await server.admin('select pg_current_wal_insert_lsn()::text as lsn');
    return String(row?.['lsn']);
  };
  // Again where the second was over between, or the server wrote of its own accord; two hundred commits always show.
  await expect
    .poll(async () => {
      await checkWritable(store);
      const before = await written();
      await Promise.all(Array.from({ length: 200 }, () => checkWritable(store)));
      return (await written()) === before;
    }, patiently)
    .toBe(true);
});
