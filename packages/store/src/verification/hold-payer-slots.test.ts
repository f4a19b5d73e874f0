import { expect, onTestFinished, test } from 'vitest';
import { aTransactionPooler } from '../../test/ground/a-transaction-pooler.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { type HeldPayerSlots, holdPayerSlots } from './hold-payer-slots.ts';

const { connectionString, sql } = await openTestStores();
const PAYERS = ['one', 'two', 'three', 'four'];

/** A process that asks payers, with these under way. */
function aProcess(underWay = new Set<string>(), address = connectionString) {
  let takenCount = 0;
  const slots = holdPayerSlots({
    connectionString: address,
    payerIds: PAYERS,
    isIdle: (payerId) => !underWay.has(payerId),
    onTaken: () => (takenCount += 1),
    beatMs: 20,
  });
  onTestFinished(() => slots.close());
  return { held: () => heldBy(slots), takenCount: () => takenCount, close: slots.close, underWay };
}

const heldBy = (slots: HeldPayerSlots) => PAYERS.filter(slots.holds);
const countsOf =
  (...processes: { held: () => string[] }[]) =>
  () =>
    processes.map((one) => one.held().length);
const patience = { timeout: 20_000, interval: 20 };

// Without it a payer that takes twenty inquiries at once would get as many from each process.
test('each payer is asked by one process, and those that run divide them', async () => {
  const first = aProcess();
  await expect.poll(countsOf(first), patience).toEqual([4]);
  const second = aProcess();
  await expect.poll(countsOf(first, second), patience).toEqual([2, 2]);
  expect([...first.held(), ...second.held()].toSorted()).toEqual(PAYERS.toSorted());
  await second.close();
  await expect.poll(countsOf(first), patience).toEqual([4]);
});

test('a payer with an inquiry under way stays until that has ended, and gets no other', async () => {
  const first = aProcess(new Set(PAYERS));
  await expect.poll(countsOf(first), patience).toEqual([4]);
  const second = aProcess();
  await expect.poll(countsOf(first, second), patience).toEqual([2, 0]);
  first.underWay.clear();
  await expect.poll(countsOf(first, second), patience).toEqual([2, 2]);
});

// Without it a killed process would keep its payers, or one cut off would go on asking them beside another.
test('a process whose session ends holds nothing, and the others take over', async () => {
  const first = aProcess();
  await expect.poll(countsOf(first), patience).toEqual([4]);
  const before = first.takenCount();
  await sql(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 7164307
     and database = (select oid from pg_database where datname = current_database())`,
  );
  await expect.poll(first.takenCount, patience).toBeGreaterThan(before);
  await expect.poll(countsOf(first), patience).toEqual([4]); // it is the only one, and comes back
});

test('behind a pooler, which keeps no lock, a process holds all', async () => {
  const { connectionString: pooled } = await aTransactionPooler(connectionString);
  await expect
    .poll(countsOf(aProcess(new Set(), pooled), aProcess(new Set(), pooled)), patience)
    .toEqual([4, 4]);
});
