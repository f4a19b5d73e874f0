import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { pagesRead } from '../../../test/ground/pages-read.ts';
import { aFinishedRequest, aPlatformCaller, anAccount, hold } from '../../../test/ground/stages.ts';
import { countHeldOutputs, dismissHeldOutput, listHeldOutputs } from '../../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const operator = aPlatformCaller();

// Without it a test account's operator would learn how much of live accounts waits, and tests would call live operators.
test('how many wait is counted within the caller’s reach, with the time of the first', async () => {
  const [live, trial] = [await anAccount(store), await anAccount(store, { mode: 'test' })];
  const counted = (mode: 'live' | 'test') => countHeldOutputs(store, { caller: aPlatformCaller(mode) });
  const none = { open_count: 0, oldest_received_at: null };
  expect([await counted('live'), await counted('test')]).toEqual([none, none]);
  const ids: string[] = [];
  for (const caller of [live, trial, trial])
    ids.push(await hold(store, anOutput(await aFinishedRequest(store, caller), { notes: 'x' })));
  const { items } = await listHeldOutputs(store, { caller: operator, limit: 3 });
  const receivedAt = (index: number) => items.find((one) => one.held_id === ids[index])?.received_at;
  expect(await counted('live')).toEqual({ open_count: 1, oldest_received_at: receivedAt(0) });
  expect(await counted('test')).toEqual({ open_count: 2, oldest_received_at: receivedAt(1) });
  await dismissHeldOutput(store, { caller: operator, heldId: ids[1] ?? '' });
  expect(await counted('test')).toEqual({ open_count: 1, oldest_received_at: receivedAt(2) });
});

// Without it the number beside a link of the console would read every output that was ever held.
test('what was settled is not read, and no more than 10,000 are counted', async () => {
  const heldId = await hold(
    store,
    anOutput(await aFinishedRequest(store, await anAccount(store)), { notes: 'y' }),
  );
  const add = (prefix: string, status: string) =>
    sql(
      `insert into held_output (id, reason, digest, body, byte_count, status, settled_at)
       select 'held_' || $2 || lpad(n::text, 24, '0'), reason, int8send(n), body, byte_count, $3,
         case $3 when 'held' then null else now() end
       from held_output, generate_series(1, 20000) n where id = $1`,
      [heldId, prefix, status],
    );
  await add('70', 'dismissed');
  for (const analyzed of [false, true]) {
    if (analyzed) await sql('vacuum analyze held_output');
    const { pageCount, plans } = await pagesRead(stores, store, (watched) =>
      countHeldOutputs(watched, { caller: operator }),
    );
    expect(plans).toContain('held_output_open');
    expect(plans).not.toContain('Seq Scan on held_output');
    expect(pageCount).toSatisfy((count) => count > 0 && count < 100);
  }
  await add('71', 'held');
  expect((await countHeldOutputs(store, { caller: operator })).open_count).toBe(10_000);
});
