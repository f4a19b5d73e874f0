import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { keepShards, type ShardsKept } from '../index.ts';

const { store, sql } = await openTestStores();

beforeEach(() => sql('delete from delivery_worker'));

/** A worker that does at once what it is told, with this many attempts under way for its busiest account. */
function aWorker(underWay = 0) {
  const notifier = randomUUID();
  let kept: ShardsKept = { shards: [], workerCount: 0, accountSlots: 0, nextEndSeconds: null };
  let limit = 0;
  const beat = async ({ leaves = false }: { leaves?: boolean } = {}) => {
    const surplus = leaves ? 256 : kept.shards.length - Math.ceil(256 / Math.max(kept.workerCount, 1));
    const released = surplus > 0 ? kept.shards.slice(-surplus) : [];
    const busiest = Math.max(leaves ? 0 : limit, underWay);
    kept = await keepShards({ ...store, notifier }, { busiest, released, leaves });
    limit = Math.min(kept.accountSlots, Math.floor(100 / Math.max(kept.workerCount, 1)));
    return kept;
  };
  return {
    notifier,
    beat,
    end: (count: number) => void (underWay -= count),
    limit: () => limit,
    shards: () => kept.shards,
    count: () => kept.shards.length,
  };
}

type Worker = ReturnType<typeof aWorker>;

async function settle(...workers: readonly Worker[]): Promise<void> {
  for (let round = 0; round < 4; round += 1) for (const { beat } of workers) await beat();
}

const lapse = ({ notifier }: Worker) =>
  sql(`update delivery_worker set until = clock_timestamp() - interval '1 ms' where id = $1`, [notifier]);

test('one worker has all hosts, and all of an account', async () => {
  const alone = aWorker();
  await alone.beat();
  expect([alone.count(), alone.limit()]).toEqual([256, 100]);
});

// Breaks if a host is called by two processes, or by none.
test('several divide them, each shard with one', async () => {
  const workers = [aWorker(), aWorker(), aWorker()];
  await settle(...workers);
  expect(workers.map((worker) => worker.count()).toSorted()).toEqual([84, 86, 86]);
  expect(new Set(workers.flatMap((worker) => worker.shards())).size).toBe(256);
  expect(workers.map((worker) => worker.limit())).toEqual([33, 33, 33]);
});

// Breaks if one that comes begins while another still has what is to be its part under way.
test('a new worker waits for the slots that others give up, and takes nothing before', async () => {
  const first = aWorker(100);
  await first.beat();
  const second = aWorker();
  await settle(first, second);
  expect([first.limit(), second.limit(), second.count()]).toEqual([50, 0, 0]);
  first.end(80);
  await settle(first, second);
  expect([first.limit(), second.limit(), second.count()]).toEqual([50, 50, 128]);
});

// Breaks if the freeSlots of all exceed the account's hundred at any moment.
test('through starts and ends of processes the freeSlots together are never more than a hundred', async () => {
  const workers: Worker[] = [];
  for (let step = 0; step < 60; step += 1) {
    if (step % 5 === 0 && workers.length < 6) workers.push(aWorker());
    const worker = workers[(step * 7) % workers.length];
    await worker?.beat();
    if (step % 17 === 16) {
      const gone = workers.shift();
      if (gone) await lapse(gone);
    }
    const [row] = await sql<{ sum: number }>(
      'select coalesce(sum(account_slots), 0)::int as sum from delivery_worker where until > clock_timestamp()',
    );
    expect(row?.sum).toBeLessThanOrEqual(100);
  }
});

test('what a dead worker had is taken over when its lease ends', async () => {
  const [stays, dies, other] = [aWorker(), aWorker(), aWorker()];
  await settle(stays, dies, other);
  await lapse(dies);
  await settle(stays, other);
  expect([stays.count(), other.count()]).toEqual([128, 128]);
  await lapse(other);
  await settle(stays);
  expect([stays.count(), stays.limit()]).toEqual([256, 100]);
});

// Breaks if all delivery stops for as long as the clock was set back: the dead worker's row lies in the future.
test('what a worker had that died before the clock was set back is taken over at once', async () => {
  const [stays, dies] = [aWorker(), aWorker()];
  await settle(stays, dies);
  await sql(`update delivery_worker set until = until + interval '1 hour'`);
  await settle(stays);
  expect([stays.count(), stays.limit()]).toEqual([256, 100]);
});

// Breaks if a paused process goes on with hosts that another has taken over.
test('a worker that was taken for dead has nothing when it comes back', async () => {
  const [paused, other] = [aWorker(), aWorker()];
  await settle(paused, other);
  await lapse(paused);
  await settle(other);
  const { shards } = await paused.beat();
  expect(shards).toEqual([]);
});

test('one that leaves takes nothing, and is gone with its last shard', async () => {
  const [leaves, stays] = [aWorker(), aWorker()];
  await settle(leaves, stays);
  await leaves.beat({ leaves: true });
  await settle(stays);
  expect([leaves.count(), stays.count(), stays.limit()]).toEqual([0, 256, 100]);
  expect(await sql('select from delivery_worker')).toHaveLength(1);
});
