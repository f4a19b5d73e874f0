import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestStores } from '../../test/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimFor, finish } from '../../test/stages.ts';
import { listenForDueDeliveries, redeliver } from '../index.ts';

vi.setConfig({ testTimeout: 30_000 });
const stores = await openTestStores();
const { store, rival, sql, connectionString } = stores;
const caller = await anAccount(store);

const listeners = () =>
  sql<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query = 'listen delivery_due'`,
  );
const patiently = { timeout: 15_000 };

/** A listener that counts its calls, once it listens. */
async function aListener() {
  const heard = { count: 0, probed: [] as string[] };
  const listener = listenForDueDeliveries(store, connectionString, {
    wake: () => (heard.count += 1),
    probe: (hostKey) => heard.probed.push(hostKey),
  });
  onTestFinished(() => listener.close());
  await expect.poll(() => heard.count, patiently).toBe(1);
  return { heard, listener };
}

// Without it every delivery would wait for the poll, up to a second.
test('a result of another process wakes the listener, a redelivery of any names its host', async () => {
  const { heard } = await aListener();
  await aFinishedRequest(store, caller);
  const { request_id: requestId } = await aFinishedRequest(rival, caller);
  await expect.poll(() => heard.count, patiently).toBe(2);
  const claimed = await claimFor(store, requestId);
  await finish(store, claimed);
  await redeliver(rival, { caller, requestId });
  await expect.poll(() => heard.probed, patiently).toEqual([claimed.hostKey]);
});

// Without it one restart of the database would turn every later hint off, until the process restarts too.
test('it listens again after its backend was terminated, and says so at once', async () => {
  const { heard } = await aListener();
  for (let round = 0; round < 2; round += 1) {
    const before = heard.count;
    const [listening] = await listeners();
    await sql('select pg_terminate_backend($1)', [listening?.pid]);
    await expect.poll(() => heard.count, patiently).toBe(before + 1);
    await aFinishedRequest(rival, caller);
    await expect.poll(() => heard.count, patiently).toBe(before + 2);
  }
});

// Without it a process that started before its database would never listen, or end.
test('a database that is not there is tried again, and closing ends that', async () => {
  const nowhere = new URL(connectionString);
  nowhere.port = '1';
  const heard = vi.fn<() => void>();
  const listener = listenForDueDeliveries(store, nowhere.href, { wake: heard, probe: heard });
  await listener.close();
  expect(heard).not.toHaveBeenCalled();
});

// Without it a stopped process would keep a connection, and its server could not stop.
test('closing leaves no connection, also while it connects or has lost one', async () => {
  const { listener } = await aListener();
  await listener.close();
  const hasty = listenForDueDeliveries(store, connectionString, {
    wake: () => undefined,
    probe: () => undefined,
  });
  await hasty.close();
  const { listener: lost } = await aListener();
  const [listening] = await listeners();
  await sql('select pg_terminate_backend($1)', [listening?.pid]);
  await lost.close();
  await expect.poll(listeners, patiently).toEqual([]);
});
