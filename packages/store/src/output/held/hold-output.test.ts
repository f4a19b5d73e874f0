import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test, vi } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  hold,
  intake,
  submit,
} from '../../../test/ground/stages.ts';
import { dismissHeldOutput } from '../../index.ts';
import { HELD_CAPACITY } from './hold.ts';

vi.setConfig({ testTimeout: 30_000 });
const { store, rival, sql } = await openTestStores();
const caller = await anAccount(store);

const heldCount = async () => (await sql(`select from held_output where status = 'held'`)).length;
const heldBytes = async () =>
  Number(
    (
      await sql<{ bytes: string }>(
        `select coalesce(sum(byte_count), 0) as bytes from held_output where status = 'held'`,
      )
    )[0]?.bytes,
  );
const roomFor = async (rows: number) => ({
  ...HELD_CAPACITY,
  rowCountMax: (await heldCount()) + rows,
  byteCountMax: Number.MAX_SAFE_INTEGER,
});
const FULL = { rowCountMax: 0, byteCountMax: 0, clientRowCountMax: 200 };

// Without it a sender that retries forever would fill the store with one output, and operators with work.
test('the same output is held once per reason, by two processes at once too', async () => {
  const request = await aFinishedRequest(store, caller);
  const output = anOutput(request, { notes: 'other' });
  const before = await heldCount();
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, index) => hold(index % 2 ? store : rival, output)),
  );
  expect(new Set(ids).size).toBe(1);
  const untrusted = await hold(store, output, { trusted: false });
  expect(untrusted).not.toBe(ids[0]);
  expect(await hold(rival, output, { trusted: false })).toBe(untrusted);
  expect(await heldCount()).toBe(before + 2);
});

// Without it an output that differs only in a character that UTF-8 cannot encode would be dropped as a duplicate.
test('outputs that differ at all are held apart', async () => {
  const request = await aFinishedRequest(store, caller);
  const ids = [];
  for (const notes of ['a', 'b', '\ud800', '\ud801', '\0'])
    ids.push(await hold(store, anOutput(request, { notes })));
  expect(new Set(ids).size).toBe(5);
});

// Without it a dismissed output that is sent again, perhaps rightly, would be lost.
test('what was settled is held again when it comes again', async () => {
  const request = await aFinishedRequest(store, caller);
  const output = anOutput(request, { notes: 'again' });
  const first = await hold(store, output);
  await dismissHeldOutput(store, { caller, heldId: first });
  const second = await hold(store, output);
  expect(second).not.toBe(first);
  expect(await hold(store, output)).toBe(second);
});

// Without it anyone could fill the disk, since the operation is open; if too strict, retries would be refused.
test('beyond the rows that fit an output is refused, one that is held already is not', async () => {
  const request = await intake(store, caller);
  const unmatched = (notes: string) => anOutput(request, { request_id: null, notes });
  const heldCapacity = await roomFor(2);
  await hold(store, unmatched('row 1'), { heldCapacity });
  await hold(store, unmatched('row 2'), { heldCapacity });
  expect(await submit(store, unmatched('row 3'), { heldCapacity })).toEqual({ kind: 'at_capacity' });
  await hold(store, unmatched('row 2'), { heldCapacity });
  expect(await heldCount()).toBe(heldCapacity.rowCountMax);
});

// Without it a few large outputs would fill the disk.
test('beyond the bytes that fit an output is refused', async () => {
  const request = await intake(store, caller);
  const large = (notes: string) => anOutput(request, { request_id: null, notes: notes.repeat(1_000) });
  const size = Buffer.byteLength(JSON.stringify(large('a')));
  const heldCapacity = {
    ...HELD_CAPACITY,
    rowCountMax: 1_000_000,
    byteCountMax: (await heldBytes()) + 2 * size,
  };
  await hold(store, large('a'), { heldCapacity });
  await hold(store, large('b'), { heldCapacity });
  expect(await submit(store, large('c'), { heldCapacity })).toEqual({ kind: 'at_capacity' });
  expect(await heldBytes()).toBe(heldCapacity.byteCountMax);
});

// Without it a store full of held outputs would stop verification itself.
test('a full store still applies results and keeps progress', async () => {
  const heldCapacity = FULL;
  const request = await intake(store, caller);
  expect(await submit(store, anOutput(request, { state: 'pending' }), { heldCapacity })).toEqual({
    kind: 'progress',
  });
  expect(await submit(store, anOutput(request), { heldCapacity })).toEqual({ kind: 'applied', version: 1 });
  expect(await submit(store, anOutput(request), { heldCapacity })).toEqual({ kind: 'unchanged', version: 1 });
});

// Without it a hundred concurrent senders would exceed the cap together.
test('racing outputs do not pass the cap, and room that is made is used', async () => {
  const request = await intake(store, caller);
  const heldCapacity = await roomFor(7);
  const race = (round: string) =>
    Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        hold(index % 2 ? store : rival, anOutput(request, { request_id: null, notes: `${round} ${index}` }), {
          heldCapacity,
        }),
      ),
    );
  const raced = await race('first');
  const ids = raced.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(ids).toHaveLength(7);
  for (const result of raced)
    if (result.status === 'rejected') expect(String(result.reason)).toContain('at_capacity');
  await dismissHeldOutput(store, { caller, heldId: ids[0] ?? '' });
  expect((await race('second')).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await heldCount()).toBe(heldCapacity.rowCountMax);
});

// Without it a refused output could leave a line or a lock behind.
test('a refused output leaves nothing', async () => {
  const request = await aFinishedRequest(store, caller);
  const lines = () => sql('select from access_log where request_id = $1', [request.request_id]);
  const before = await lines();
  const heldCapacity = FULL;
  expect(await submit(store, anOutput(request, { notes: 'x' }), { heldCapacity })).toEqual({
    kind: 'at_capacity',
  });
  expect(await lines()).toEqual(before);
});

// Without it one faulty verifier would get every other one's corrections refused.
test('one key fills half of the room, and another still finds some', async () => {
  const request = await intake(store, caller);
  await sql('delete from held_output');
  const heldCapacity = { ...HELD_CAPACITY, rowCountMax: 10 };
  const [one, other] = [await anAccount(store), aPlatformCaller()];
  const send = (who: typeof one, notes: string) =>
    submit(store, anOutput(request, { request_id: null, notes }), { caller: who, heldCapacity });
  for (const notes of ['1', '2', '3', '4', '5']) await send(one, notes);
  expect(await send(one, '6')).toEqual({ kind: 'at_capacity' });
  expect(await send(one, '5')).toMatchObject({ kind: 'held' });
  for (const notes of ['6', '7', '8', '9', '10']) await send(other, notes);
  expect(await send(other, '11')).toEqual({ kind: 'at_capacity' });
});

// Without it one key could achieve with few large outputs what it cannot with many.
test('one key fills half of the bytes', async () => {
  const request = await intake(store, caller);
  await sql('delete from held_output');
  const large = (notes: string) => anOutput(request, { request_id: null, notes: notes.repeat(1_000) });
  const byteCountMax = 4 * Buffer.byteLength(JSON.stringify(large('a')));
  const send = (who: typeof caller, notes: string) =>
    submit(store, large(notes), { caller: who, heldCapacity: { ...HELD_CAPACITY, byteCountMax } });
  await send(caller, 'a');
  await send(caller, 'b');
  expect(await send(caller, 'c')).toEqual({ kind: 'at_capacity' });
  expect(await send(await anAccount(store), 'c')).toMatchObject({ kind: 'held' });
});
