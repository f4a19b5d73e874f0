import type { AccountLimits } from '@insurance-verification/schema';
import { DEFAULT_ACCOUNT_ID } from '@insurance-verification/store';
import { describe, expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';

const service = useService();

const aDefault = (quota: number, window_seconds: number) => ({ quota, window_seconds, overridden: false });
const off = { quota: null, window_seconds: null, overridden: false };

describe.each(transports)('over $name', (transport) => {
  test('an account has the defaults, the default account none', async () => {
    const { account_id } = await anAccount(service);
    const answer = await transport.call(service, 'accounts.limits', { account_id });
    const expected: AccountLimits = {
      account_id,
      policies: {
        intake: aDefault(60_000, 60),
        reads: aDefault(60_000, 60),
        'redeliver-exhausted': aDefault(6, 60),
        'secret-reveal': aDefault(10, 3600),
      },
      allowed_cidrs: null,
    };
    expect([answer.status, answer.json]).toEqual([200, transport.success(expected)]);
    const local = await transport.call(service, 'accounts.limits', { account_id: DEFAULT_ACCOUNT_ID });
    expect(transport.output(local)).toMatchObject({
      policies: { intake: off, reads: off, 'redeliver-exhausted': off, 'secret-reveal': off },
    });
  });

  test('what is set stays, what is not named stays as it was, null is the default again', async () => {
    const { account_id } = await anAccount(service);
    const quota = { quota: 5, window_seconds: 86_400 };
    const set = async (changes: object) =>
      transport.output<AccountLimits>(
        await transport.call(service, 'accounts.setLimits', { account_id, ...changes }),
      );
    const first = await set({
      policies: { intake: quota, reads: quota },
      allowed_cidrs: ['10.0.0.0/8', '2001:db8::/32'],
    });
    expect(first).toMatchObject({
      policies: { intake: { ...quota, overridden: true }, reads: { ...quota, overridden: true } },
      allowed_cidrs: ['10.0.0.0/8', '2001:db8::/32'],
    });
    const second = await set({ policies: { intake: null } });
    expect(second).toMatchObject({
      policies: { intake: aDefault(60_000, 60), reads: { ...quota, overridden: true } },
      allowed_cidrs: ['10.0.0.0/8', '2001:db8::/32'],
    });
    expect(await set({ allowed_cidrs: null })).toEqual({ ...second, allowed_cidrs: null });
    expect(await set({})).toEqual({ ...second, allowed_cidrs: null });
    expect(transport.output(await transport.call(service, 'accounts.limits', { account_id }))).toEqual({
      ...second,
      allowed_cidrs: null,
    });
    const lines = await rows(
      service.databaseUrl,
      `select operation from access_log where operation like 'accounts.%imits'`,
    );
    expect(lines).toContainEqual({ operation: 'accounts.setLimits' });
    expect(lines).toContainEqual({ operation: 'accounts.limits' });
  });

  test.each(['acct_x', 'acct_01h455vb4pex5vsknk084sn02q'])('%s is 404', async (account_id) => {
    for (const operation of ['accounts.limits', 'accounts.setLimits'] as const) {
      const answer = await transport.call(service, operation, { account_id });
      expect([answer.status, answer.json]).toEqual([404, transport.problem('not_found')]);
    }
  });

  const networkFault = {
    msg: 'Input should be a network in CIDR notation, such as 203.0.113.0/24',
    type: 'cidr',
  };
  test.each([
    [
      { policies: { intake: { quota: 0, window_seconds: 60 } } },
      {
        loc: ['body', 'policies', 'intake', 'quota'],
        msg: 'Input should be greater than or equal to 1',
        type: 'greater_than_equal',
      },
    ],
    [
      { policies: { reads: { quota: 1, window_seconds: 86_401 } } },
      {
        loc: ['body', 'policies', 'reads', 'window_seconds'],
        msg: 'Input should be less than or equal to 86400',
        type: 'less_than_equal',
      },
    ],
    [
      { policies: { reads: { quota: 1 } } },
      { loc: ['body', 'policies', 'reads', 'window_seconds'], msg: 'Field required', type: 'missing' },
    ],
    [
      { allowed_cidrs: [] },
      {
        loc: ['body', 'allowed_cidrs'],
        msg: 'List should have at least 1 item after validation',
        type: 'too_short',
      },
    ],
    [{ allowed_cidrs: ['10.0.0.0/8', '10.0.0.1'] }, { loc: ['body', 'allowed_cidrs', 1], ...networkFault }],
    [{ allowed_cidrs: ['10.0.0.0/33'] }, { loc: ['body', 'allowed_cidrs', 0], ...networkFault }],
    [{ allowed_cidrs: ['fe80::1%eth0/64'] }, { loc: ['body', 'allowed_cidrs', 0], ...networkFault }],
    [
      { allowed_cidrs: [7] },
      { loc: ['body', 'allowed_cidrs', 0], msg: 'Input should be a valid string', type: 'string_type' },
    ],
  ])('%o is 422', async (changes, fault) => {
    const { account_id } = await anAccount(service);
    const answer = await transport.call(service, 'accounts.setLimits', { account_id, ...changes });
    expect([answer.status, answer.json]).toEqual([422, transport.invalid(fault)]);
  });
});
