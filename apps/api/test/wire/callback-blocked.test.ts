import type { Delivery } from '@insurance-verification/schema';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aRequest } from '@insurance-verification/testing/a-request';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../a-service.ts';
import { transports } from '../transports.ts';

const PAYERS = '["Payer Plan 1 Inc","Payer Plan 2 Inc","Payer Plan 3 Inc","Payer Plan 4 Inc"]';
const payer_info = { name: 'Payer Plan 1 Inc' };

let production: TestService;
/** The service before it was production, on the same database. */
let earlier: TestService;
let laptop: TestService;
beforeAll(async () => {
  const { connectionString } = await createTestDatabase();
  earlier = await startTestService({ env: { PAYERS }, databaseUrl: connectionString });
  [production, laptop] = await Promise.all([
    startTestService({ env: { NODE_ENV: 'production', PAYERS }, databaseUrl: connectionString }),
    startTestService({ env: { PAYERS } }),
  ]);
});
afterAll(() => Promise.all([production.stop(), laptop.stop(), earlier.stop()]));

const HTTPS = "URL scheme should be 'https': this service calls no other";
const PORT = 'URL port should not be 0: nothing can listen there';
const NETWORK = 'URL should lead to a public address: this service calls no other';

describe.each(transports)('over $name', (transport) => {
  const create = (service: TestService, callback_url: string, headers = {}) =>
    transport.call(service, 'requests.create', { ...aRequest({ callback_url }), payer_info }, { headers });

  // Broke: a provider with a typo in its address was answered 200, and learned a day later that nothing had come.
  test.each([
    ['http://clinic.example/verified', HTTPS],
    ['https://127.0.0.1/verified', NETWORK],
    ['https://10.1.2.3/verified', NETWORK],
    ['https://[fd00::1]/verified', NETWORK],
    ['https://localhost/verified', NETWORK],
    ['https://169.254.169.254/latest/meta-data/', NETWORK],
    ['https://clinic.example:0/verified', PORT],
  ])('production refuses %s, which it could never call', async (callback_url, msg) => {
    const answer = await create(production, callback_url);
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid({ loc: ['body', 'callback_url'], msg, type: 'callback_url_blocked' }),
    ]);
  });

  // Broke: whoever got no answer before an upgrade learned nothing of the request that was stored.
  test('a retry of what was stored before gets its first answer, and another body under its key the 422 of the key', async () => {
    const headers = { 'idempotency-key': `stored before ${transport.name}` };
    const blocked = 'https://10.1.2.3/verified';
    const first = await create(earlier, blocked, headers);
    const again = await create(production, blocked, headers);
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true' });
    const other = await create(production, 'https://10.1.2.4/verified', headers);
    expect([other.status, other.text]).toEqual([422, expect.stringContaining('idempotency_key_reused')]);
  });

  test.each(['https://clinic.example/verified', 'https://8.8.8.8/', 'https://no-such-name.invalid/'])(
    'production takes %s: only a look-up could show it',
    async (callback_url) => {
      const answer = await create(production, callback_url);
      expect([answer.status, answer.headers['callback-url-blocked']]).toEqual([200, undefined]);
    },
  );

  test('elsewhere it is taken, the answer says what each attempt will end with, and so does a replay', async () => {
    const headers = { 'idempotency-key': `blocked ${transport.name}` };
    for (const replayed of [undefined, 'true']) {
      const answer = await create(laptop, 'https://10.1.2.3/verified', headers);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ 'callback-url-blocked': 'blocked_address' });
      expect(answer.headers['idempotency-replayed']).toBe(replayed);
    }
  });

  test('of an address that may be called nothing is said', async () => {
    const answer = await create(laptop, 'http://127.0.0.1:4000/verified');
    expect([answer.status, answer.headers['callback-url-blocked']]).toEqual([200, undefined]);
  });
});

test('the first attempt ends as the header said', async () => {
  const posted = await laptop.ask('POST', '/requests/', {
    body: { ...aRequest({ callback_url: 'http://10.1.2.3/verified' }), payer_info },
  });
  const { request_id } = posted.json as { request_id: string };
  await laptop.answer('POST', `/requests/${request_id}/close`, { reason: 'withdrawn' });
  await expect
    .poll(
      async () => {
        const { items } = await laptop.answer<{ items: Delivery[] }>(
          'GET',
          `/requests/${request_id}/deliveries`,
        );
        return items[0]?.attempts[0]?.outcome;
      },
      { timeout: 25_000 },
    )
    .toBe(posted.headers['callback-url-blocked']);
});
