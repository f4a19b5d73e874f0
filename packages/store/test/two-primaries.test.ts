import { type AddressInfo, connect, createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { clientFor } from '../src/connection/client-for.ts';
import {
  checkDatabase,
  createMasterKey,
  isDatabaseUnavailable,
  listEvents,
  noteTimeline,
  openStore,
  type Store,
} from '../src/index.ts';
import type { OwnServer } from '../src/testing/own-server.ts';
import { aServer } from './ground/a-server.ts';
import { errorOf } from './ground/a-watched-store.ts';
import { anAccount } from './ground/stages.ts';
import { aSwallowingProxy } from './ground/swallowing-proxy.ts';

vi.setConfig({ testTimeout: 120_000 }); // each starts two servers

const encryptionKey = createMasterKey('k1');

/** A primary, its promoted standby, and a store that was open before. */
async function twoPrimaries() {
  const old = await aServer();
  const before = await aStore(old.connectionString);
  const caller = await anAccount(before);
  expect(await noteTimeline(before)).toEqual({ kind: 'same' });
  const promoted = await old.addStandby();
  onTestFinished(promoted.stop);
  return { old, promoted, caller };
}

async function aStore(connectionString: string): Promise<Store> {
  const store = await openStore({ connectionString, encryptionKey });
  onTestFinished(() => store.close());
  return store;
}

async function promote(standby: OwnServer): Promise<void> {
  await standby.admin('select pg_promote()');
  await expect.poll(() => timelineOf(standby), { timeout: 20_000 }).toBe(2);
}

async function timelineOf({ admin }: OwnServer): Promise<number> {
  const [row] = await admin(`select case when not pg_is_in_recovery()
    then left(pg_walfile_name(pg_current_wal_lsn()), 8) else '0' end as timeline`);
  return Number(row?.['timeline']);
}

/** Leads to a server, and takes its time with each of its answers. */
async function aSlowWay({ connectionString }: OwnServer, delayMs: number): Promise<string> {
  const { hostname, port } = new URL(connectionString);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => setTimeout(() => client.write(bytes), delayMs));
    client.on('error', () => undefined).on('close', () => upstream.destroy());
    upstream.on('error', () => undefined).on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hostOf = ({ connectionString }: OwnServer) => new URL(connectionString).host;
const atHosts = ({ connectionString }: OwnServer, ...hosts: readonly string[]) =>
  connectionString.replace(new URL(connectionString).host, hosts.join(','));

/** The port of the server that a process which starts writes to. */
async function portOfStart(url: string): Promise<number | undefined> {
  const Client = clientFor(url);
  const client = new Client({ connectionTimeoutMillis: 5_000 });
  await client.connect();
  const { rows } = await client.query<{ port: number }>('select inet_server_port() as port');
  await client.end();
  return rows[0]?.port;
}

// Broke: a start took the first that answered, so 5 of 6 wrote to the old primary next to the promoted one.
test('a process that starts next to two primaries takes the one on the higher timeline', async () => {
  const { old, promoted } = await twoPrimaries();
  await promote(promoted);
  expect(await timelineOf(old)).toBe(1);
  // Each of its three answers to a connection that asks comes 0.1 s late: the old one has long answered.
  const slow = await aSlowWay(promoted, 100);
  const port = Number(new URL(promoted.connectionString).port);
  for (const hosts of [
    [hostOf(old), hostOf(promoted)],
    [hostOf(promoted), hostOf(old)],
    [hostOf(old), slow],
    [slow, hostOf(old)],
  ])
    expect(await portOfStart(atHosts(old, ...hosts))).toBe(port);
  const store = await aStore(atHosts(old, hostOf(old), slow));
  await sql`insert into access_log (operation) values ('after')`.execute(store.db);
  const written = `select count(*)::int as count from access_log where operation = 'after'`;
  expect([await old.admin(written), await promoted.admin(written)]).toEqual([[{ count: 0 }], [{ count: 1 }]]);
});

test('where the promoted one does not answer in time, the old one is taken', async () => {
  const { old } = await twoPrimaries();
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await new Promise((resolve) => silent.once('listening', resolve));
  const { port } = silent.address() as AddressInfo;
  const startedAt = performance.now();
  expect(await portOfStart(atHosts(old, `127.0.0.1:${port}`, hostOf(old)))).toBe(
    Number(new URL(old.connectionString).port),
  );
  expect(performance.now() - startedAt).toBeLessThan(15_000); // 1.5 s by itself, and without an end never
});

// Without it nobody learns that a failover may have lost what was acknowledged, or every process reports it.
test('a promotion is reported by one of the processes, once', async () => {
  const { promoted } = await twoPrimaries();
  await promote(promoted);
  const stores = [await aStore(promoted.connectionString), await aStore(promoted.connectionString)];
  const notes = await Promise.all(stores.map(noteTimeline));
  expect(notes.filter(({ kind }) => kind === 'raised')).toEqual([{ kind: 'raised', from: 1, to: 2 }]);
  for (const store of stores) expect(await noteTimeline(store)).toEqual({ kind: 'same' });
  // As after a dump was restored into a server that was promoted less often.
  await promoted.admin('update server_timeline set timeline = 7');
  for (const store of stores) expect(await noteTimeline(store)).toEqual({ kind: 'same' });
  expect(await promoted.admin('select timeline::int from server_timeline')).toEqual([{ timeline: 2 }]);
});

// Without it a reader that follows pages would learn from a standby that is behind that nothing came.
test('a standby serves no page of events', async () => {
  const { old, promoted: standby, caller } = await twoPrimaries();
  const proxy = await aSwallowingProxy(old.connectionString);
  const store = await aStore(proxy.connectionString);
  const listing = { caller, limit: 10 };
  expect((await listEvents(store, listing)).items).toEqual([]);
  proxy.leadTo(standby.connectionString);
  proxy.swallow();
  proxy.cut();
  await expect.poll(() => errorOf(checkDatabase(store)), { timeout: 20_000 }).toBe(null);
  expect(await errorOf(listEvents(store, listing))).toSatisfy(isDatabaseUnavailable);
});
