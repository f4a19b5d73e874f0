import type { CreatedApiKey } from '@insurance-verification/schema';
import { describe, expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { aService, useService } from '../a-service.ts';
import { alter, rows } from '../rows.ts';
import { transports } from '../transports.ts';

const service = useService();

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const works = async (key: string) => (await service.ask('GET', '/requests/', { key })).status === 200;

describe.each(transports)('over $name', (transport) => {
  // Broke: the key was created and returned as if it worked, and its holder got 401 without a reason.
  test.each(['2020-01-01T00:00:00Z', '0001-01-01 00:00'])(
    'a key that would end at %s, which is past, is refused there',
    async (expires_at) => {
      const { account_id } = await anAccount(service);
      const input = { account_id, scopes: ['requests'], expires_at };
      const answer = await transport.call(service, 'keys.create', input);
      const fault = {
        loc: ['body', 'expires_at'],
        msg: 'Input should be in the future',
        type: 'datetime_future',
      };
      expect([answer.status, answer.json]).toEqual([422, transport.invalid(fault)]);
    },
  );

  // Broke: it was returned as +010000-01-01T13:59:59.000Z, which is not RFC 3339, in every list from then on.
  test('a key that would end after the year 9999 is refused there', async () => {
    const { account_id } = await anAccount(service);
    const input = { account_id, scopes: ['requests'], expires_at: '9999-12-31T23:59:59-14:00' };
    const answer = await transport.call(service, 'keys.create', input);
    const msg = 'Input should be a valid datetime, year 10000 is out of range';
    const fault = { loc: ['body', 'expires_at'], msg, type: 'datetime_parsing' };
    expect([answer.status, answer.json]).toEqual([422, transport.invalid(fault)]);
  });

  test('a revocation holds at once, again is the same as once, and two live keys leave no gap', async () => {
    const { account_id } = await anAccount(service);
    const [old, next] = await Promise.all(
      [1, 2].map(() => service.answer<CreatedApiKey>('POST', '/keys', { account_id, scopes: ['requests'] })),
    );
    if (!old || !next) return expect.fail();
    expect([await works(old.key), await works(next.key)]).toEqual([true, true]);
    const answer = await transport.call(service, 'keys.revoke', { key_id: old.key_id });
    expect([await works(old.key), await works(next.key)]).toEqual([false, true]);
    const { key: _, ...view } = old;
    expect([answer.status, answer.json]).toEqual([
      200,
      transport.success({ ...view, revoked_at: timestamp, last_used_at: timestamp, endpoints: [] }),
    ]);
    expect((await transport.call(service, 'keys.revoke', { key_id: old.key_id })).json).toEqual(answer.json);
  });

  // Without it forgotten keys would work indefinitely.
  test('a key works for a year, by the database’s clock, until another time, or for ever if it is asked', async () => {
    const { account_id } = await anAccount(service);
    const make = async (expiry: object) => {
      const input = { account_id, scopes: ['requests'], ...expiry };
      return transport.output<CreatedApiKey>(await transport.call(service, 'keys.create', input));
    };
    const { key_id } = await make({});
    const [row] = await rows<{ is_a_year: boolean }>(
      service.databaseUrl,
      `select expires_at = created_at + interval '1 year' as is_a_year from api_key where id = $1`,
      [key_id],
    );
    expect(row?.is_a_year).toBe(true);
    expect((await make({ expires_at: null })).expires_at).toBeNull();
    expect((await make({ expires_at: '2099-01-01T00:00:00Z' })).expires_at).toBe('2099-01-01T00:00:00.000Z');
  });

  test.each(['key_01jdabcdefghjkmnpqrstvwxyz', 'key_x', '\0'])('revoking %j is 404', async (key_id) => {
    const answer = await transport.call(service, 'keys.revoke', { key_id });
    expect([answer.status, answer.json]).toEqual([404, transport.problem('not_found')]);
  });

  // The models accept spellings of a date-time that `Date` does not, and write them as RFC 3339. Broke: one was a 500.
  test.each([
    '2099-01-01T00:00:00Z',
    '2099-01-01_00:00:00,000',
    '2098-12-31T23:00:00\u221201:00',
    '2099-01-01t05:30+0530',
    '2099-01-01 00:00',
  ])('a key that expires at %s does so at the first second of 2099', async (expires_at) => {
    const { account_id } = await anAccount(service);
    const answer = await transport.call(service, 'keys.create', {
      account_id,
      scopes: ['requests'],
      expires_at,
    });
    expect(transport.output(answer)).toMatchObject({ expires_at: '2099-01-01T00:00:00.000Z' });
  });
});

test('an expired key is no key, by the database’s clock and without a restart', async () => {
  const { account_id } = await anAccount(service);
  const made = await service.answer<CreatedApiKey>('POST', '/keys', {
    account_id,
    scopes: ['requests'],
    expires_at: '2099-01-01T00:00:00Z',
  });
  await alter(service.databaseUrl, `update api_key set expires_at = now() where id = $1`, [made.key_id]);
  expect(await works(made.key)).toBe(false);
});

// Without it the first sign of a key's expiry is a provider whose requests are refused.
test('the metrics count the keys that end within thirty days', async () => {
  const own = await aService();
  const { account_id } = await anAccount(own);
  const gone = await anAccount(own);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const make = (account: string, expires_at: string | null) =>
    own.answer<CreatedApiKey>('POST', '/keys', { account_id: account, scopes: ['requests'], expires_at });
  await make(account_id, inDays(29));
  await make(account_id, inDays(1));
  await make(account_id, inDays(31));
  await make(account_id, null);
  const { key_id } = await make(account_id, inDays(2));
  await own.answer('POST', `/keys/${key_id}/revoke`);
  await make(gone.account_id, inDays(3));
  await own.answer('POST', `/accounts/${gone.account_id}/suspend`);
  expect((await own.ask('GET', '/metrics')).text).toMatch(/^ivs_keys_expiring 2$/m);
});
