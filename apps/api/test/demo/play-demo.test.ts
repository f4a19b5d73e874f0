import type { Delivery, RequestModel } from '@insurance-verification/schema';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { aService } from '../a-service.ts';
import { transports } from '../transports.ts';

test.each(transports)(
  'a demo goes from its click to a webhook with a checked signature, over $name',
  async (transport) => {
    const service = await aService();
    const { account_id: testAccountId } = await anAccount(service, { name: 'test', mode: 'test' });
    const played = transport.output<RequestModel>(await transport.call(service, 'demo.play', {}));
    expect(played.state).toBe('pending');
    const delivery = await until('it is delivered', async () => {
      const { items } = await service.answer<{ items: Delivery[] }>(
        'GET',
        `/requests/${played.request_id}/deliveries`,
      );
      return items.find(({ status }) => status === 'delivered');
    });
    expect(delivery.attempts).toMatchObject([
      { outcome: 'succeeded', response_snippet: 'The demo receiver checked the signature: it is right.' },
    ]);
    // It is the test account's own, and no live one's.
    const key = await aKey(service, ['requests'], testAccountId);
    const list = (of?: string) =>
      service.answer<{ items: RequestModel[] }>('GET', '/requests/', undefined, of);
    expect((await list(key)).items.map(({ request_id: id }) => id)).toEqual([played.request_id]);
    expect((await list()).items).toEqual([]);
  },
);

test('without a test account there is no demo', async () => {
  const service = await aService();
  expect((await service.ask('POST', '/demo/play')).status).toBe(404);
});

test('an unsigned webhook is refused', async () => {
  const service = await aService();
  await anAccount(service, { mode: 'test' });
  const answer = await service.ask('POST', '/demo/receiver', { key: null, body: {} });
  expect([answer.status, answer.text]).toEqual([
    400,
    expect.stringContaining('The demo receiver refuses it'),
  ]);
});

test('in production there is neither a demo nor its receiver', async () => {
  const service = await aService({
    env: {
      NODE_ENV: 'production',
      PAYERS: '["A","B","C","D"]',
      METRICS_TOKEN: 'a-token-of-the-tests-0123456789',
    },
  });
  await anAccount(service, { mode: 'test' });
  expect((await service.ask('POST', '/demo/play')).status).toBe(404);
  expect((await service.ask('POST', '/demo/receiver', { key: null, body: {} })).status).toBe(404);
});
