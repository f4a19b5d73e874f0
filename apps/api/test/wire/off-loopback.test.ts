import type { RequestModel } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { aService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { deliveryOnce } from '../delivery/deliveries.ts';

// Broke: on `HOST=0.0.0.0` an anonymous forged result was applied, and its callback probed loopback.
test('off loopback a stranger’s result is held, and no callback reaches loopback', async () => {
  const receiver = await aReceiver();
  const service = await aService({ env: { HOST: '0.0.0.0', WEBHOOK_RETRY_SCHEDULE: '0s' } });
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  const forged = await service.ask('POST', '/verification-output', { body: anOutput(request), key: null });
  expect([forged.status, forged.json]).toEqual([200, { status: 'received' }]);
  const held = await service.answer<{ items: { reason: string }[] }>('GET', '/held-outputs');
  expect(held.items.map(({ reason }) => reason)).toEqual(['untrusted']);
  expect(await service.answer<RequestModel>('GET', `/requests/${request.request_id}`)).toMatchObject({
    state: 'pending',
  });

  await service.answer('POST', '/verification-output', anOutput(request));
  await deliveryOnce(service, request.request_id, 'exhausted');
  const { items } = await service.answer<{ items: { attempts: object[] }[] }>(
    'GET',
    `/requests/${request.request_id}/deliveries`,
  );
  expect(items[0]?.attempts).toEqual([
    expect.objectContaining({ outcome: 'blocked_address', response_snippet: null }),
  ]);
  expect(receiver.received).toEqual([]);
});
