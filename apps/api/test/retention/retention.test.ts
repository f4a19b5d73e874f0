import type { Account, AccountList, AccountRetention } from '@insurance-verification/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';
import { transports } from '../transports.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe.each(transports)('over $name', (transport) => {
  test('a live account keeps its data, a test account 30 days; the list says so', async () => {
    const [live, tests] = [await anAccount(service), await anAccount(service, { mode: 'test' })];
    const answer = await transport.call(service, 'accounts.retention', { account_id: live.account_id });
    const expected: AccountRetention = {
      account_id: live.account_id,
      retention_days: null,
      erases_from: null,
      would_erase: 0,
      more: false,
      holds: [],
      changes: [],
    };
    expect([answer.status, answer.json]).toEqual([200, transport.success(expected)]);
    const { items } = transport.output<AccountList>(
      await transport.call(service, 'accounts.list', { limit: 100 }),
    );
    const daysOf = ({ account_id }: Account) =>
      items.find((one) => one.account_id === account_id)?.retention_days;
    expect([daysOf(live), daysOf(tests)]).toEqual([null, 30]);
  });

  test('it is set by who looks after accounts or privacy, and a shorter one waits for a day', async () => {
    const { account_id } = await anAccount(service);
    const key = await aKey(service, ['privacy']);
    const set = (retention_days: unknown) =>
      transport.call(service, 'accounts.setRetention', { account_id, retention_days }, { key });
    const first = transport.output<AccountRetention>(await set(90));
    expect(first).toMatchObject({ retention_days: 90, changes: [{ days_before: null, days_after: 90 }] });
    expect(Date.parse(first.erases_from ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000);
    const kept = await set(null);
    expect([kept.status, transport.output<AccountRetention>(kept)]).toMatchObject([
      200,
      { retention_days: null, erases_from: null },
    ]);
    const asked = await transport.call(service, 'accounts.retention', { account_id, days: 30 }, { key });
    expect(transport.output<AccountRetention>(asked)).toMatchObject({ would_erase: 0, more: false });
  });

  test.each([2, 3_651, 30.5, 'a month'])('%s days are refused', async (retention_days) => {
    const { account_id } = await anAccount(service);
    const answer = await transport.call(service, 'accounts.setRetention', { account_id, retention_days });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.json)).toContain('"retention_days"');
  });

  test('an unknown account is not found', async () => {
    const account_id = 'acct_x';
    const [read, set] = [
      await transport.call(service, 'accounts.retention', { account_id }),
      await transport.call(service, 'accounts.setRetention', { account_id, retention_days: 30 }),
    ];
    expect([read.status, read.json]).toEqual([404, transport.problem('not_found')]);
    expect([set.status, set.json]).toEqual([404, transport.problem('not_found')]);
  });
});
