import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount } from '../../test/ground/stages.ts';
import { aSwallowingProxy } from '../../test/ground/swallowing-proxy.ts';
import { notifyWork, listen } from '../index.ts';

vi.setConfig({ testTimeout: 30_000 });
const { store, rival, sql, connectionString } = await openTestStores();
const caller = await anAccount(store);
const patiently = { timeout: 15_000 };

/** The listening connections of this file's database. */
const listening = () =>
  sql<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`,
  );
const terminate = async () => {
  const [connection] = await listening();
  await sql('select pg_terminate_backend($1)', [connection?.pid]);
};

/** A listener on both channels that counts their calls. It resolves once it listens, which calls each handler once. */
async function aListener() {
  const heard = { delivery: 0, work: 0 };
  const listener = listen(connectionString, {
    delivery_due: () => (heard.delivery += 1),
    work_due: () => (heard.work += 1),
  });
  onTestFinished(() => listener.close());
  await expect.poll(() => heard, patiently).toEqual({ delivery: 1, work: 1 });
  return { heard, listener };
}

// Without it verification work would wake a process that only delivers, and vice versa.
test('each notification wakes its own, over one connection', async () => {
  const { heard } = await aListener();
  await notifyWork(rival);
  await expect.poll(() => heard, patiently).toEqual({ delivery: 1, work: 2 });
  await aFinishedRequest(rival, caller);
  await expect.poll(() => heard, patiently).toEqual({ delivery: 2, work: 2 });
  expect(await listening()).toHaveLength(1);
});

// Without it one restart of the database would disable all later notifications until the process restarts too.
test('it listens again after its backend was terminated, and says so at once', async () => {
  const { heard } = await aListener();
  for (let round = 0; round < 2; round += 1) {
    const { delivery, work } = heard;
    await terminate();
    await expect.poll(() => heard, patiently).toEqual({ delivery: delivery + 1, work: work + 1 });
    await aFinishedRequest(rival, caller);
    await notifyWork(rival);
    await expect.poll(() => heard, patiently).toEqual({ delivery: delivery + 2, work: work + 2 });
  }
});

// Broke: behind a server that froze, or a line that fell silent, a process never listened again.
test('it listens again after its server has fallen silent without closing the connection', async () => {
  const proxy = await aSwallowingProxy(connectionString);
  const heard = vi.fn<(payload: string) => void>();
  const listener = listen(proxy.connectionString, { work_due: heard }, undefined, 100);
  onTestFinished(() => listener.close());
  await expect.poll(() => heard.mock.calls.length, patiently).toBe(1);
  proxy.swallow();
  await expect.poll(() => heard.mock.calls.length, patiently).toBe(2);
  await notifyWork(rival);
  await expect.poll(() => heard.mock.calls.length, patiently).toBe(3);
});

// Without it a process that started before its database would never listen, or never end.
test('a database that is not there is tried again, and closing ends that', async () => {
  const nowhere = new URL(connectionString);
  nowhere.port = '1';
  const heard = vi.fn<() => void>();
  const listener = listen(nowhere.href, { delivery_due: heard, work_due: heard });
  await listener.close();
  expect(heard).not.toHaveBeenCalled();
});

// Without it a stopped process would keep a connection, and its server could not stop.
test('closing leaves no connection, also while it connects or has lost one', async () => {
  const { listener } = await aListener();
  await listener.close();
  const hasty = listen(connectionString, { delivery_due: () => undefined });
  await hasty.close();
  const { listener: lost } = await aListener();
  await terminate();
  await lost.close();
  await expect.poll(listening, patiently).toEqual([]);
});
