import type { CreatedApiKey } from '@insurance-verification/schema';
import { DEFAULT_ACCOUNT_ID } from '@insurance-verification/store';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { aService, BOOTSTRAP_KEY, type TestService, useService } from '../a-service.ts';
import { transports } from '../transports.ts';

const service = useService({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } });

const from = (address: string) => ({ 'x-forwarded-for': address });

async function aKeyFrom(allowed_cidrs: string[] | null, ofAccount: string[] | null = null) {
  const { account_id } = await anAccount(service);
  if (ofAccount) await service.answer('POST', `/accounts/${account_id}/limits`, { allowed_cidrs: ofAccount });
  const body = { account_id, scopes: ['requests'], allowed_cidrs };
  return service.answer<CreatedApiKey>('POST', '/keys', body);
}

describe.each(transports)('over $name', (transport) => {
  const statusOf = async (key: string, address: string) => {
    const answer = await transport.call(service, 'requests.list', {}, { key, headers: from(address) });
    if (answer.status !== 200)
      expect([answer.status, answer.json]).toEqual([403, transport.problem('address_not_allowed')]);
    return answer.status;
  };

  test('a key works only from its networks', async () => {
    const { key, allowed_cidrs } = await aKeyFrom(['203.0.113.0/24', '2001:db8::/32']);
    expect(allowed_cidrs).toEqual(['203.0.113.0/24', '2001:db8::/32']);
    expect(await statusOf(key, '203.0.113.255')).toBe(200);
    expect(await statusOf(key, '[2001:db8:ffff::1]:443')).toBe(200);
    expect(await statusOf(key, '203.0.114.0')).toBe(403);
    expect(await statusOf(key, '2001:db9::1')).toBe(403);
    expect(await statusOf(key, 'unknown')).toBe(403);
  });

  test('the networks of the account and of the key must both match', async () => {
    const { key } = await aKeyFrom(['203.0.113.0/24'], ['203.0.112.0/22']);
    expect(await statusOf(key, '203.0.113.1')).toBe(200);
    expect(await statusOf(key, '203.0.112.1')).toBe(403);
    const { key: outside } = await aKeyFrom(['198.51.100.0/24'], ['203.0.112.0/22']);
    expect(await statusOf(outside, '198.51.100.1')).toBe(403);
  });

  // Without it a leaked verifier's key could be tested on the one operation that requires none.
  test('where no key is needed, one from elsewhere is refused all the same', async () => {
    const { key } = await aKeyFrom(['203.0.113.0/24']);
    const answer = await transport.call(
      service,
      'verificationOutput.submit',
      {},
      { key, headers: from('198.51.100.1') },
    );
    expect([answer.status, answer.json]).toEqual([403, transport.problem('address_not_allowed')]);
  });

  // Without it one slip would lock the last operator out, with nobody left to undo it.
  test('networks without the caller itself are refused for its own account, and taken for another', async () => {
    const elsewhere = { allowed_cidrs: ['203.0.113.0/24'] };
    const answer = await transport.call(service, 'accounts.setLimits', {
      account_id: DEFAULT_ACCOUNT_ID,
      ...elsewhere,
    });
    expect([answer.status, answer.json]).toEqual([409, transport.problem('locks_caller_out')]);
    const { account_id } = await anAccount(service);
    expect((await transport.call(service, 'accounts.setLimits', { account_id, ...elsewhere })).status).toBe(
      200,
    );
    const own = { account_id: DEFAULT_ACCOUNT_ID, allowed_cidrs: ['127.0.0.0/8'] };
    expect((await transport.call(service, 'accounts.setLimits', own)).status).toBe(200);
    expect(
      (await transport.call(service, 'accounts.setLimits', { ...own, allowed_cidrs: null })).status,
    ).toBe(200);
  });
});

test('networks of an account hold for the keys it has, in another process within a second', async () => {
  const rival = await aService({ databaseUrl: service.databaseUrl, env: { TRUSTED_PROXIES: '127.0.0.0/8' } });
  const { key, account_id } = await aKeyFrom(null);
  const ask = async (to: TestService) =>
    (await to.ask('GET', '/requests/', { key, headers: from('198.51.100.1') })).status;
  expect([await ask(service), await ask(rival)]).toEqual([200, 200]);
  await service.answer('POST', `/accounts/${account_id}/limits`, { allowed_cidrs: ['203.0.113.0/24'] });
  expect(await ask(service)).toBe(403);
  await until('the other process asks for the key anew', async () => (await ask(rival)) === 403);
});

test('keys.create refuses an invalid network, and lists show the networks', async () => {
  const { account_id } = await anAccount(service);
  const body = { account_id, scopes: ['requests'], allowed_cidrs: ['everywhere'] };
  const refused = await service.ask('POST', '/keys', { body });
  expect(refused).toMatchObject({
    status: 422,
    json: { detail: [{ loc: ['body', 'allowed_cidrs', 0], type: 'cidr' }] },
  });
  expect(refused.text).not.toContain('everywhere');
  const { key_id } = await aKeyFrom(['203.0.113.0/24']);
  const { items } = await service.answer<{ items: unknown[] }>('GET', '/keys?limit=1');
  expect(items).toMatchObject([{ key_id, allowed_cidrs: ['203.0.113.0/24'] }]);
});

// Without it the log of a stolen key's use would not show the thief's address.
test('each line of a refusal has the address, and the key where it was a right one', async () => {
  const { key, key_id, account_id } = await aKeyFrom(['203.0.113.0/24']);
  await service.ask('GET', '/requests/', { key, headers: from('198.51.100.7') });
  await service.ask('GET', '/keys', { key, headers: from('203.0.113.7') });
  await service.ask('GET', '/requests/', { key: `${key.slice(0, -1)}x`, headers: from('198.51.100.8') });
  await service.ask('GET', '/requests/', { key: null, headers: from('10.0.0.9') });
  await service.ask('GET', '/requests/', { key: BOOTSTRAP_KEY, headers: from('198.51.100.9') });
  const lines = await until('all are logged', () => {
    const parsed = service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    return parsed.some((line) => line['client_address'] === '10.0.0.9') && parsed;
  });
  expect(lines).toContainEqual(
    expect.objectContaining({
      status: 403,
      problem: 'address_not_allowed',
      client_address: '198.51.100.7',
      key_id,
      account_id,
    }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({
      status: 403,
      problem: 'forbidden',
      client_address: '203.0.113.7',
      key_id,
      account_id,
    }),
  );
  const wrong = lines.find((line) => line['client_address'] === '198.51.100.8');
  expect(wrong).toMatchObject({ status: 401, problem: 'unauthorized' });
  expect(wrong).not.toHaveProperty('key_id');
  expect(JSON.stringify(lines)).not.toContain('198.51.100.9');
  const { text } = await service.ask('GET', '/metrics');
  expect(text).toMatch(/^ivs_refused_keys_total\{address_class="public",reason="wrong"\} 1$/m);
  expect(text).toMatch(/^ivs_refused_keys_total\{address_class="private",reason="missing"\} 1$/m);
});
