import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { expect, test } from 'vitest';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { aFinishedRequest, deliveryOnce } from './deliveries.ts';

// A corrupt row must neither stop the others nor be tried indefinitely.
test('a row that does not open is given up after its claims, and others flow', async () => {
  const receiver = await aReceiver();
  const http = await aService({ env: { ROLES: 'http' } });
  const poisoned = await aFinishedRequest(http, receiver.url);
  await rows(http.databaseUrl, `update delivery set destination = '\\x00' where request_id = $1`, [
    poisoned.request_id,
  ]);
  await rows(http.databaseUrl, 'update delivery_queue set claim_count = 20');
  const sound = await aFinishedRequest(http, receiver.url);
  await aService({ databaseUrl: http.databaseUrl, env: { ROLES: 'delivery' } });
  await deliveryOnce(http, sound.request_id, 'delivered');
  expect(await deliveryOnce(http, poisoned.request_id, 'exhausted')).toMatchObject({ attempts: [] });
  expect(await http.answer('GET', `/requests/${poisoned.request_id}`)).toMatchObject({
    state: 'error_sending_webhook',
    error_reason: 'webhook_exhausted',
  });
  expect(receiver.received).toHaveLength(1);
});
