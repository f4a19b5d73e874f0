import { expect, test } from 'vitest';
import { CreateApiKey, SetAccountLimits, toValidationErrors } from '../index.ts';

const key = { account_id: 'acct_1', scopes: ['requests'] };

test.each(['203.0.113.0/24', '0.0.0.0/0', '10.1.2.3/8', '2001:db8::/32', '::1/128', '::ffff:10.0.0.0/104'])(
  'takes %s as it came',
  (network) => {
    expect(CreateApiKey.parse({ ...key, allowed_cidrs: [network] }).allowed_cidrs).toEqual([network]);
  },
);

// Without it a typo would allow or block networks that nobody meant.
test.each([
  '203.0.113.0',
  '203.0.113.0/33',
  '203.0.113/24',
  '010.0.0.0/8',
  '2001:db8::/129',
  'fe80::1%eth0/64',
  ' 10.0.0.0/8',
  '',
  '*',
])('refuses "%s", and does not repeat it', (network) => {
  const { error } = SetAccountLimits.safeParse({ allowed_cidrs: [network] });
  expect(toValidationErrors(error?.issues ?? [], { allowed_cidrs: [network] })).toEqual([
    {
      loc: ['body', 'allowed_cidrs', 0],
      msg: 'Input should be a network in CIDR notation, such as 203.0.113.0/24',
      type: 'cidr',
    },
  ]);
});

test('takes a hundred networks, no more, and not an empty list', () => {
  const networks = (count: number) => ({ allowed_cidrs: Array(count).fill('10.0.0.0/8') });
  expect(SetAccountLimits.safeParse(networks(100)).success).toBe(true);
  expect(SetAccountLimits.safeParse(networks(101)).success).toBe(false);
  expect(SetAccountLimits.safeParse(networks(0)).success).toBe(false);
});
