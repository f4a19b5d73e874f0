import type {
  ClearedDemoDay,
  Delivery,
  DemoDay,
  HeldOutputList,
  RequestSummary,
} from '@insurance-verification/schema';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';

// Breaks when a newcomer's pages stay empty, or when clearing the day leaves something behind or takes something else.
test('a demo day has every state, is seen by who acts for it, and is gone with one call', async () => {
  const service = await aService();
  const { account_id: mine } = await anAccount(service, { name: 'My own test', mode: 'test' });
  const tables = await filledTables(service.databaseUrl);
  const day = await service.answer<DemoDay>('POST', '/demo/day');
  expect(day.request_count).toBe(40);
  const search = () =>
    service.answer<{ items: RequestSummary[] }>('POST', '/requests/search', { limit: 100 });
  const finished = await until('the sandbox has answered, and every webhook has its end', async () => {
    // Before the states: a delivery that ends between the two reads changes one.
    const open = await service.answer<{ items: Delivery[] }>('GET', '/deliveries?status=pending&limit=100');
    const { items } = await search();
    return items.filter(({ state }) => state !== 'pending').length === 26 && open.items.length === 0 && items;
  });
  const countOf = (state: string) => finished.filter((one) => one.state === state).length;
  expect(['complete', 'error_verifying', 'error_sending_webhook', 'pending'].map(countOf)).toEqual([
    17, 4, 5, 14,
  ]);
  const held = await service.answer<HeldOutputList>('GET', '/held-outputs?limit=100');
  expect(held.items.map(({ reason }) => reason).toSorted()).toEqual([
    'input_mismatch',
    'input_mismatch',
    'input_mismatch',
    'superseding',
    'superseding',
  ]);
  const offeredBy = held.items.map(({ reason, offered_by: name }) => `${reason}: ${name}`);
  expect([...new Set(offeredBy)].toSorted()).toEqual([
    'input_mismatch: Vera Lind (demo)',
    'superseding: Omar Haddad (demo)',
  ]);
  // Played again, it replaces the day.
  expect((await service.answer<DemoDay>('POST', '/demo/day')).account_id).not.toBe(day.account_id);
  expect((await search()).items).toHaveLength(40);
  expect(await service.answer<ClearedDemoDay>('POST', '/demo/day/clear')).toEqual({ request_count: 40 });
  expect(await service.answer<ClearedDemoDay>('POST', '/demo/day/clear')).toEqual({ request_count: 0 });
  expect((await search()).items).toEqual([]);
  expect(await filledTables(service.databaseUrl)).toEqual(tables);
  expect(await rows(service.databaseUrl, `select from account where id = '${mine}'`)).toHaveLength(1);
}, 120_000);

/** The tables with rows of accounts or requests, and how many each has. */
async function filledTables(databaseUrl: string): Promise<Record<string, number>> {
  const names = await rows<{ table_name: string }>(
    databaseUrl,
    `select distinct table_name from information_schema.columns
     where table_schema = 'public' and column_name in ('request_id', 'account_id', 'delivery_id')
       and table_name !~ '^(access_log|rate_budget)'`,
  );
  const counts: Record<string, number> = {};
  for (const { table_name: name } of names) {
    const [counted] = await rows<{ count: string }>(databaseUrl, `select count(*) from "${name}"`);
    counts[name] = Number(counted?.count);
  }
  return counts;
}

test('in production there is no demo day', async () => {
  const service = await aService({
    env: {
      NODE_ENV: 'production',
      PAYERS: '["A","B","C","D"]',
      METRICS_TOKEN: 'a-token-of-the-tests-0123456789',
    },
  });
  for (const path of ['/demo/day', '/demo/day/clear'])
    expect((await service.ask('POST', path)).status).toBe(404);
});
