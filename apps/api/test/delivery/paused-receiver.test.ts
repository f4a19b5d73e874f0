import type { DeliveryDetail, DeliveryList, ReceiverList } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { transports } from '../transports.ts';
import { aFinishedRequest, deliveryOnce } from './deliveries.ts';

const service = useService({ env: { WEBHOOK_RETRY_SCHEDULE: '0s,1h' } });

const receivers = async () => (await service.answer<ReceiverList>('GET', '/receivers')).items;
const deliveriesOf = async (id: string) =>
  (await service.answer<DeliveryList>('GET', `/requests/${id}/deliveries`)).items;

// Without it an operator would read that a message is "next" sent in the past, and not why nothing happens.
test('a delivery to a paused receiver says since when and until when, and a try ends that', async () => {
  const receiver = await aReceiver({ status: 500 });
  const host = `127.0.0.1:${receiver.port}`;
  const failing = await Promise.all(
    Array.from({ length: 10 }, () => aFinishedRequest(service, receiver.url)),
  );
  const [first] = failing;
  await until('it is paused', async () => (await receivers()).some((one) => one.paused_since !== null));
  const late = await aFinishedRequest(service, receiver.url);

  const [waiting] = await deliveriesOf(late.request_id);
  expect(waiting).toMatchObject({ status: 'pending', attempts: [], paused_since: expect.any(String) });
  expect(Date.parse(waiting?.next_attempt_at ?? '')).toBeGreaterThan(Date.now());
  const detail = await service.answer<DeliveryDetail>('GET', `/deliveries/${waiting?.delivery_id}`);
  const listed = await service.answer<{ items: object[] }>(
    'GET',
    `/deliveries?request_id=${late.request_id}`,
  );
  for (const shown of [detail, listed.items[0]])
    expect(shown).toMatchObject({
      next_attempt_at: waiting?.next_attempt_at,
      paused_since: waiting?.paused_since,
    });
  // One whose own next attempt is later keeps its time.
  const [own] = await deliveriesOf(first?.request_id ?? '');
  expect(Date.parse(own?.next_attempt_at ?? '')).toBeGreaterThan(Date.now() + 2_000_000);

  const [row] = await receivers();
  expect(row).toEqual({
    host,
    taken_count: expect.any(Number),
    failed_count: expect.any(Number),
    waiting_count: 11,
    given_up_count: 0,
    last_outcome: 'http_error',
    last_status_code: 500,
    last_attempt_at: expect.any(String),
    paused_since: waiting?.paused_since,
    endpoint_failing_since: null,
    account_mode: 'live',
    next_try_at: waiting?.next_attempt_at,
  });

  receiver.behave({ status: 204 });
  const tried = await service.answer('POST', '/receivers/try', { host });
  expect(tried).toEqual({ tried: 1 });
  await deliveryOnce(service, late.request_id, 'delivered');
  await until('its breaker is closed', async () => (await receivers())[0]?.paused_since === null);
  // What was due follows, and each of the others waits for its own hour; a try takes the first of them.
  await service.answer('POST', '/receivers/try', { host: '127.0.0.1' });
  expect((await receivers())[0]?.waiting_count).toBe(10);
  await service.answer('POST', '/receivers/try', { host });
  await until('one more is delivered', async () => (await receivers())[0]?.waiting_count === 9);
  await until('the attempts are counted', async () => {
    const [counted] = await receivers();
    return counted?.taken_count === 2 && counted.failed_count === 10;
  });
});

test.each(transports)(
  'a host with nothing waiting is tried in vain, and a text that is not a host is refused, over $name',
  async (transport) => {
    for (const host of ['receiver.example', 'https://receiver.example/x', 'a b']) {
      const answer = await transport.call(service, 'receivers.tryNow', { host });
      expect([answer.status, answer.json]).toEqual([200, transport.success({ tried: 0 })]);
    }
  },
);
