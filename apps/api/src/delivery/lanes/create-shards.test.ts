import { randomBytes } from 'node:crypto';
import { openStore, type Store } from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { ENCRYPTION_KEY } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../telemetry/log.ts';
import { createShards, type Shards } from './create-shards.ts';

const { connectionString } = await createTestDatabase();

const hosts = Array.from({ length: 256 }, (_, first) =>
  Buffer.from([first, ...randomBytes(31)]).toString('base64'),
);

/** A process that delivers. It hears of the others at once, as by a notification. */
async function aProcess(all: Shards[]): Promise<Shards> {
  const store: Store = await openStore({ connectionString, encryptionKey: ENCRYPTION_KEY });
  const notifyOthers = () => all.filter((one) => one !== shards).forEach(({ regroup }) => regroup());
  const shards: Shards = createShards({
    store,
    busiestAccount: () => 0,
    onMore: notifyOthers,
    onLost: () => undefined,
    log: createLog('silent', { write: () => undefined }),
  });
  all.push(shards);
  onTestFinished(async () => {
    await shards.stop();
    await store.close();
  });
  return shards;
}

const countOf = ({ mayBegin }: Shards) => hosts.filter(mayBegin).length;
const sharedBy = (shards: readonly Shards[]) =>
  hosts.filter((host) => shards.filter(({ mayBegin }) => mayBegin(host)).length !== 1);

test('one process has all hosts', async () => {
  const shards = await aProcess([]);
  await until('it has all', () => countOf(shards) === 256);
  expect(shards.bits()).toEqual(Buffer.alloc(32, 255));
});

// Breaks if the one that comes calls a host to which calls are still under way.
test('a shard changes hands when nothing is under way in it any more', async () => {
  const all: Shards[] = [];
  const first = await aProcess(all);
  await until('the first has all', () => countOf(first) === 256);
  for (const host of hosts) first.enter(host);
  const second = await aProcess(all);
  await until('the first gives half of them up', () => countOf(first) === 128);
  expect(countOf(second)).toBe(0);
  expect(hosts.every((host) => first.holds(host))).toBe(true);
  for (const host of hosts) first.leave(host);
  await until('the second has them', () => countOf(second) === 128);
  expect(sharedBy(all)).toEqual([]);
  await until('both know the freeSlots', () => all.every(({ accountSlots }) => accountSlots() === 50));
});

test('one that retires gives all to the others', async () => {
  const all: Shards[] = [];
  const [first, second] = [await aProcess(all), await aProcess(all)];
  await until('they have shared them', () => sharedBy(all).length === 0 && countOf(second) === 128);
  first.retire();
  await until('the second has all', () => countOf(second) === 256);
  expect(countOf(first)).toBe(0);
});
