import type { DeliveryDetail, DeliverySummaryList } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { type Transport, transports } from '../transports.ts';
import { aFinishedRequest, deliveryOnce } from './deliveries.ts';

const service = useService({ env: { WEBHOOK_RETRY_SCHEDULE: '0s' } });

async function list(transport: Transport, key: string, input: Record<string, unknown> = {}) {
  const answer = await transport.call(service, 'deliveries.list', input, { key });
  expect(answer.status).toBe(200);
  return transport.output<DeliverySummaryList>(answer);
}

/** A message that its receiver refused, and a newer one that it took. */
async function twoDeliveries(key: string) {
  const receiver = await aReceiver({ status: 500 });
  const { request_id: refused } = await aFinishedRequest(service, receiver.url, key);
  await deliveryOnce(service, refused, 'exhausted', key);
  receiver.behave({ status: 204 });
  const { request_id: taken } = await aFinishedRequest(service, receiver.url, key);
  await deliveryOnce(service, taken, 'delivered', key);
  return { refused, taken, host: new URL(receiver.url).host };
}

describe.each(transports)('over $name', (transport) => {
  test('deliveries.list pages through an account’s deliveries, and filters them', async () => {
    const key = await aKey(service);
    const { refused, taken, host } = await twoDeliveries(key);
    const first = await list(transport, key, { limit: 1 });
    expect(first).toEqual({
      items: [
        {
          delivery_id: expect.stringMatching(/^msg_/),
          request_id: taken,
          account_id: expect.stringMatching(/^acct_/),
          account_name: 'Main Street Dental',
          account_mode: 'live',
          payer: aRequest().payer_info.name,
          patient_initials: 'J. D.',
          version: 1,
          event_id: null,
          event_type: null,
          endpoint_id: null,
          status: 'delivered',
          reason: null,
          host,
          accepted_at: expect.any(String),
          done_at: expect.any(String),
          next_attempt_at: null,
          paused_since: null,
          attempt_count: 1,
          last_attempt_at: expect.any(String),
          last_outcome: 'succeeded',
          last_status_code: 204,
        },
      ],
      next_cursor: first.items[0]?.delivery_id,
    });
    const second = await list(transport, key, { limit: 1, cursor: first.next_cursor });
    expect(second).toMatchObject({ items: [{ request_id: refused }], next_cursor: null });
    for (const filter of [
      { status: 'exhausted' },
      { reason: 'webhook_exhausted' },
      { outcome: 'http_error', host },
      { status_code: 500, attempts_min: 1 },
      { request_id: refused, since: '2020-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' },
    ])
      expect((await list(transport, key, filter)).items.map((item) => item.request_id)).toEqual([refused]);
    expect((await list(transport, key, { until: '2020-01-01T00:00:00Z' })).items).toEqual([]);
  });

  test('an operator’s list is of every account, or of the one that is named', async () => {
    const [key, operator] = [await aKey(service), await aKey(service, ['operate'])];
    const { refused, taken } = await twoDeliveries(key);
    const { items } = await list(transport, operator, { limit: 2 });
    expect(items.map((item) => item.request_id)).toEqual([taken, refused]);
    const account_id = items[0]?.account_id;
    expect((await list(transport, operator, { account_id, status: 'exhausted' })).items).toEqual([items[1]]);
    expect((await list(transport, await aKey(service), { account_id })).items).toEqual([]);
  });

  test.each([
    [{ status: 'lost' }, 'status', 'enum'],
    [{ outcome: 'lost' }, 'outcome', 'enum'],
    [{ status_code: 99 }, 'status_code', 'greater_than_equal'],
    [{ status_code: 600 }, 'status_code', 'less_than_equal'],
    [{ attempts_min: -1 }, 'attempts_min', 'greater_than_equal'],
    [{ since: 'yesterday' }, 'since', 'datetime_from_date_parsing'],
    [{ cursor: 'req_x' }, 'cursor', 'value_error'],
  ])('%o is refused at %s', async (input, field, type) => {
    const answer = await transport.call(service, 'deliveries.list', input, { key: await aKey(service) });
    expect(answer.status).toBe(422);
    expect(answer.json).toEqual(
      transport.invalid(expect.objectContaining({ loc: ['query', field], type }) as never),
    );
  });

  test('deliveries.get shows every attempt of one’s own, and an operator those of all', async () => {
    const [key, operator] = [await aKey(service), await aKey(service, ['operate'])];
    const { refused } = await twoDeliveries(key);
    const [item] = (await list(transport, key, { request_id: refused })).items;
    const input = { delivery_id: item?.delivery_id };
    for (const reader of [key, operator]) {
      const answer = await transport.call(service, 'deliveries.get', input, { key: reader });
      expect(transport.output<DeliveryDetail>(answer)).toMatchObject({
        ...item,
        attempts: [{ number: 1, outcome: 'http_error', status_code: 500 }],
      });
    }
    for (const [reader, delivery_id] of [
      [await aKey(service), item?.delivery_id],
      [key, 'msg_none'],
    ] as const) {
      const answer = await transport.call(service, 'deliveries.get', { delivery_id }, { key: reader });
      expect([answer.status, answer.json]).toEqual([404, transport.problem('not_found')]);
    }
  });
});
