import type { WebhookSecret } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { aService, WEBHOOK_SECRET } from '../a-service.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';
import { verified } from '../verified.ts';
import { aFinishedRequest, deliveryOnce } from './deliveries.ts';

const isSecret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);

describe.each(transports)('over $name', (transport) => {
  test('a rotation keeps the old secret for 24 hours, and webhooks carry both signatures', async () => {
    const service = await aService();
    const before = await transport.call(service, 'webhookSecret.get');
    expect([before.status, before.json]).toEqual([
      200,
      transport.success({ current: WEBHOOK_SECRET, previous: null, previous_valid_until: null }),
    ]);
    const rotated = await transport.call(service, 'webhookSecret.rotate');
    expect(rotated.status).toBe(200);
    const secrets = transport.output<WebhookSecret>(rotated);
    expect(rotated.json).toEqual(
      transport.success({
        current: isSecret,
        previous: WEBHOOK_SECRET,
        previous_valid_until: expect.stringMatching(/Z$/),
      }),
    );
    expect(secrets.current).not.toBe(WEBHOOK_SECRET);
    const hours = (Date.parse(secrets.previous_valid_until ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    expect((await transport.call(service, 'webhookSecret.get')).json).toEqual(transport.success(secrets));

    const receiver = await aReceiver();
    const first = await aFinishedRequest(service, receiver.url);
    await deliveryOnce(service, first.request_id, 'delivered');
    const [both] = receiver.received;
    expect(both?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const secret of [secrets.current, WEBHOOK_SECRET]) verified(both ?? expect.fail(), secret);

    // A day later.
    await rows(service.databaseUrl, `update account set previous_webhook_secret_until = now()`);
    expect((await transport.call(service, 'webhookSecret.get')).json).toEqual(
      transport.success({ current: secrets.current, previous: null, previous_valid_until: null }),
    );
    const second = await aFinishedRequest(service, receiver.url);
    await deliveryOnce(service, second.request_id, 'delivered');
    const one = receiver.received[1] ?? expect.fail();
    expect(one.headers['webhook-signature']).toMatch(/^v1,\S+$/);
    verified(one, secrets.current);
    expect(() => verified(one, WEBHOOK_SECRET)).toThrow('No matching signature found');
  });
});

// It would end the overlap promised to receivers.
test.each(transports)(
  'over $name a tenth rotation within a day learns when to try again',
  async (transport) => {
    const service = await aService();
    for (let count = 0; count < 9; count += 1)
      expect((await transport.call(service, 'webhookSecret.rotate')).status).toBe(200);
    const refused = await transport.call(service, 'webhookSecret.rotate');
    expect([refused.status, refused.json]).toEqual([429, transport.problem('rate_limited')]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_300);
    const receiver = await aReceiver();
    const { request_id } = await aFinishedRequest(service, receiver.url);
    await deliveryOnce(service, request_id, 'delivered');
    const [webhook] = receiver.received;
    verified(webhook ?? expect.fail(), WEBHOOK_SECRET);
    expect(webhook?.headers['webhook-signature']).toMatch(/^(v1,\S+ ){9}v1,\S+$/);
  },
);

// One account's secret must not allow forging another's webhooks.
test('each account signs with a secret of its own', async () => {
  const service = await aService();
  const receiver = await aReceiver();
  const key = await aKey(service, ['requests', 'secrets']);
  const { current } = await service.answer<WebhookSecret>('GET', '/webhook-secret', undefined, key);
  expect(current).toEqual(isSecret);
  expect(current).not.toBe(WEBHOOK_SECRET);
  const { request_id } = await aFinishedRequest(service, receiver.url, key);
  await deliveryOnce(service, request_id, 'delivered', key);
  const [webhook] = receiver.received;
  verified(webhook ?? expect.fail(), current);
  expect(() => verified(webhook ?? expect.fail(), WEBHOOK_SECRET)).toThrow('No matching signature found');
});

test('a changed BOOTSTRAP_WEBHOOK_SECRET replaces the old one, which signs on for its day', async () => {
  const before = await aService();
  const changed = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
  const env = { BOOTSTRAP_WEBHOOK_SECRET: changed };
  // Two processes of a rolling start at once: neither may mistake the other's secret for the old one.
  const [after] = await Promise.all([
    aService({ databaseUrl: before.databaseUrl, env }),
    aService({ databaseUrl: before.databaseUrl, env }),
  ]);
  expect(await after.answer('GET', '/webhook-secret')).toMatchObject({
    current: changed,
    previous: WEBHOOK_SECRET,
  });
});

// Broke: any intake key could read the secret, so a stolen key could send forged results to its clinic.
test('a key that takes in requests neither reads nor rotates the webhook secret', async () => {
  const service = await aService();
  const key = await aKey(service, ['requests']);
  for (const [method, path] of [
    ['GET', '/webhook-secret'],
    ['POST', '/webhook-secret/rotate'],
  ] as const) {
    const answer = await service.ask(method, path, { key });
    expect(answer.status).toBe(403);
    expect(answer.json).toMatchObject({ required_scopes: ['secrets'] });
  }
});
