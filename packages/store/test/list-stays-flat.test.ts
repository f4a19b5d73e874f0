import { RequestState } from '@insurance-verification/schema';
import { expect, test, vi } from 'vitest';
import { listRequests } from '../src/index.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { pagesRead } from './ground/pages-read.ts';
import { anAccount, intake } from './ground/stages.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql } = stores;

// Broke: the planner read everybody's newest requests, or all of an account's, until it had found enough matches.
test('a list reads only its page, of a large account and of a small one, in every state', async () => {
  const [large, small] = [await anAccount(store), await anAccount(store)];
  await intake(store, large); // pending, after all finished ones
  for (let made = 0; made < 10; made += 1) await intake(store, small);
  const { request_id: model } = await intake(store, large);
  for (const [name, caller, count] of [
    ['l', large, 9_000],
    ['o', await anAccount(store), 21_000],
  ] as const)
    await sql(
      `insert into request (id, account_id, payer_id, payer_name, input, member_index, outcome, channel, delivery, version)
       select 'req_7' || $4 || lpad(n::text, 24, '0'), $2, payer_id, payer_name, input, 0, 'complete', 'api', 'delivered', 1
       from request, generate_series(1, $3::int) n where id = $1`,
      [model, caller.accountId, count, name],
    );
  for (const analyzed of [false, true]) {
    if (analyzed) await sql('analyze');
    for (const caller of [large, small])
      for (const state of [undefined, ...RequestState.options]) {
        const { pageCount } = await pagesRead(stores, store, (watched) =>
          listRequests(watched, { caller, limit: 10, state }),
        );
        expect(pageCount, state).toSatisfy((count) => count > 0 && count < 150);
      }
  }
});
