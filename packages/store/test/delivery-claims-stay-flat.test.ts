import { expect, test, vi } from 'vitest';
import { claimDueDeliveries, type Store } from '../src/index.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { pagesRead } from './ground/pages-read.ts';
import { aFinishedRequest, anAccount } from './ground/stages.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql } = stores;

const ACCOUNT_COUNT = 1_000;

/** A due delivery for each of a thousand accounts, to 200 hosts, copied from one: their encrypted values cannot be decrypted. */
async function deliveryForEach(model: string): Promise<void> {
  const id = (kind: string) => `'${kind}_7' || lpad(n::text, 25, '0')`;
  const copies = 'generate_series(1, $2::int) n';
  const insert = (text: string) => sql(text, [model, ACCOUNT_COUNT]);
  await insert(
    `insert into account (id, name, kind, mode, webhook_secret)
     select ${id('acct')}, account.name, kind, mode, webhook_secret
     from account join request on account.id = account_id, ${copies} where request.id = $1`,
  );
  await insert(
    `insert into request (id, account_id, payer_id, payer_name, input, member_index, outcome, channel, delivery, version)
     select ${id('req')}, ${id('acct')}, payer_id, payer_name, input, member_index, outcome, channel, delivery, version
     from request, ${copies} where id = $1`,
  );
  await insert(
    `insert into result (request_id, version, outcome, body, digest)
     select ${id('req')}, version, outcome, body, digest from result, ${copies} where request_id = $1`,
  );
  await insert(
    `insert into delivery (id, request_id, version, account_id, destination, destination_host)
     select ${id('msg')}, ${id('req')}, version, ${id('acct')}, destination, sha256((n % 200)::text::bytea)
     from delivery, ${copies} where request_id = $1`,
  );
  await insert(
    `insert into delivery_queue (destination_host, account_id, run_at, delivery_id, request_id)
     select destination_host, account_id, now() - interval '1 hour', id, request_id
     from delivery, ${copies} where id = ${id('msg')} and request_id <> $1`,
  );
}

/** So many more in each lane, which have become due since: corrections of the same requests. */
async function waitBehind(count: number): Promise<void> {
  const insert = (text: string) => sql(text, [count]);
  const copies = 'generate_series(2, 1 + $1::int) n';
  await insert(
    `insert into result (request_id, version, outcome, body, digest)
     select request_id, n, outcome, body, digest from result, ${copies}`,
  );
  await insert(
    `insert into delivery (id, request_id, version, account_id, destination, destination_host)
     select id || n, request_id, n, account_id, destination, destination_host from delivery, ${copies}`,
  );
  await insert(
    `insert into delivery_queue (destination_host, account_id, run_at, delivery_id, request_id)
     select destination_host, account_id, run_at + n * interval '1 second', delivery_id || n, request_id
     from delivery_queue, ${copies}`,
  );
}

const claim = (limit: number) => (watched: Store) =>
  claimDueDeliveries(watched, {
    limit,
    freeSlots: { perHost: 10, perAccount: 100, hosts: new Map(), lanes: new Map() },
    after: null,
  });

// Broke: each claim read 256 lanes, and from each as many rows as it might lease: 1,600 to 4,900 pages.
test('a claim reads the lanes that it leases from, however many deliveries of how many accounts wait', async () => {
  const { request_id: model } = await aFinishedRequest(store, await anAccount(store));
  await deliveryForEach(model);
  for (const behindCount of [0, 99]) {
    await waitBehind(behindCount);
    for (const isAnalyzed of [false, true]) {
      if (isAnalyzed) await sql('vacuum analyze');
      for (const [limit, pageCountMax] of [
        [1, 100],
        [16, 1_000],
      ] as const) {
        await pagesRead(stores, store, claim(limit)); // plans it
        const { pageCount } = await pagesRead(stores, store, claim(limit));
        expect(pageCount).toSatisfy((count) => count > 0 && count <= pageCountMax);
        await sql(
          'update delivery_queue set lease = null, leased_at = null, leased_until = null where lease is not null',
        );
      }
    }
  }
});
