import { DeliveryStatus } from '@insurance-verification/schema';
import { expect, test, vi } from 'vitest';
import { type Caller, redeliverMatching, searchDeliveries, type Store } from '../src/index.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { pagesRead } from './ground/pages-read.ts';
import { aFinishedRequest, anAccount, aPlatformCaller } from './ground/stages.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql } = stores;

/** Delivered messages of an account, but for the five oldest and the five newest, which are given up. */
async function fill(name: string, caller: Caller, model: string, count: number): Promise<void> {
  const id = (kind: string) => `'${kind}_7' || '${name}' || lpad(n::text, 24, '0')`;
  const copies = 'generate_series(1, $2::int) n';
  await sql(
    `insert into request (id, account_id, payer_id, payer_name, input, outcome, delivery, version)
     select ${id('req')}, $3, payer_id, payer_name, input, outcome, delivery, version from request, ${copies} where id = $1`,
    [model, count, caller.accountId],
  );
  await sql(
    `insert into result (request_id, version, outcome, body, digest)
     select ${id('req')}, version, outcome, body, digest from result, ${copies} where request_id = $1`,
    [model, count],
  );
  await sql(
    `insert into delivery (id, request_id, version, account_id, destination, destination_host, body, status, done_at,
       exhausted_at)
     select ${id('msg')}, ${id('req')}, version, $3, destination, destination_host, body,
       case when n <= 5 or n > $2 - 5 then 'exhausted' else 'delivered' end, now(),
       case when n <= 5 or n > $2 - 5 then now() end
     from delivery, ${copies} where request_id = $1`,
    [model, count, caller.accountId],
  );
}

// Without it the deliveries page of a clinic with three of them would read those of everybody.
test('a list of deliveries reads its page alone, in every status, of one account and of all', async () => {
  const [large, small] = [await anAccount(store), await anAccount(store)];
  const { request_id: model } = await aFinishedRequest(store, small);
  await fill('a', small, model, 10);
  await fill('b', large, model, 20_000);
  const operator = aPlatformCaller();
  const pagesOf = async (operation: (watched: Store) => Promise<unknown>) =>
    (await pagesRead(stores, store, operation)).pageCount;
  const read = (caller: Caller, status: DeliveryStatus | undefined) =>
    pagesOf((watched) => searchDeliveries(watched, { caller, limit: 10, status }));
  for (const analyzed of [false, true]) {
    if (analyzed) await sql('analyze');
    for (const caller of [large, small, operator])
      // A status without an index of its own is looked for among 500 rows, by what the statistics say.
      for (const status of analyzed
        ? [undefined, ...DeliveryStatus.options]
        : [undefined, 'exhausted' as const])
        expect(await read(caller, status), status).toSatisfy((count) => count > 0 && count < 600);
    const count = await pagesOf((watched) =>
      redeliverMatching(watched, { ...ofAll(large), status: 'exhausted', limit: 100, token: null }),
    );
    expect(count).toBeLessThan(200);
  }
});

const ofAll = (caller: Caller) => ({ caller, since: new Date(0) });
