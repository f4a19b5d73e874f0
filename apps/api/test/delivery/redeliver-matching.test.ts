import type {
  CreatedEndpoint,
  EventList,
  RedeliveredMatching,
  TestedEndpoint,
} from '@insurance-verification/schema';
import { aReceiver, type Received } from '@insurance-verification/testing/a-receiver';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { transports } from '../transports.ts';
import { aFinishedRequest, deliveryOf, deliveryOnce } from './deliveries.ts';

const service = useService({ env: { WEBHOOK_RETRY_SCHEDULE: '0s' } });

const SINCE = '2026-01-01T00:00:00Z';

/** A message that its receiver refused with this status, and takes from now on. */
async function aRefused(key: string, status: number): Promise<string> {
  const receiver = await aReceiver({ status });
  const { request_id } = await aFinishedRequest(service, receiver.url, key);
  await deliveryOnce(service, request_id, 'exhausted', key);
  receiver.behave({ status: 204 });
  return request_id;
}

/** An event that an endpoint refused at every attempt, and takes from now on. */
async function aRefusedEvent(key: string) {
  const receiver = await aReceiver({ status: 500 });
  const { endpoint_id } = await service.answer<CreatedEndpoint>(
    'POST',
    '/endpoints',
    { url: receiver.url, types: ['request.failed'] },
    key,
  );
  const path = `/endpoints/${endpoint_id}/test`;
  const { event_id } = await service.answer<TestedEndpoint>('POST', path, undefined, key);
  const delivery = await until('it is given up', async () => {
    const { items } = await service.answer<EventList>('GET', '/events', undefined, key);
    const [one] = items.find(({ id }) => id === event_id)?.deliveries ?? [];
    return one?.status === 'exhausted' && one;
  });
  receiver.behave({ status: 204 });
  return { receiver, event_id, endpoint_id, delivery_id: delivery.delivery_id };
}

const idAndBody = ({ headers, body }: Received) => [headers['webhook-id'], body];

describe.each(transports)('deliveries.redeliverMatching over $name', (transport) => {
  const ask = (key: string, input: object) =>
    transport.call(service, 'deliveries.redeliverMatching', { since: SINCE, ...input }, { key });

  test('counts first, sends again what it counted, and that once', async () => {
    const key = await aKey(service);
    const [bad, teapot] = [await aRefused(key, 500), await aRefused(key, 418)];
    const counted = await ask(key, { dry_run: true, status_code: 418 });
    expect([counted.status, counted.json]).toEqual([
      200,
      transport.success({ matching: 1, redelivered: 0, more: false, token: expect.any(String) }),
    ]);
    const { token } = transport.output<RedeliveredMatching>(counted);
    const sent = await ask(key, { token, status_code: 418 });
    expect(sent.json).toEqual(transport.success({ matching: 1, redelivered: 1, more: false, token: null }));
    await deliveryOnce(service, teapot, 'delivered', key);
    expect(await deliveryOf(service, bad, key)).toMatchObject({ status: 'exhausted' });
    const again = await ask(key, { token, status_code: 418 });
    expect(again.json).toEqual(transport.success({ matching: 1, redelivered: 0, more: false, token: null }));
    const none = await ask(key, { dry_run: true, status_code: 418 });
    expect(none.json).toEqual(transport.success({ matching: 0, redelivered: 0, more: false, token: null }));
  });

  // Broke: an event that an endpoint lost was in no count, and could not be sent again.
  test('an event that an endpoint lost is counted with results, and comes again with its id and bytes', async () => {
    const key = await aKey(service);
    const refused = await aRefused(key, 500);
    const { receiver, event_id, delivery_id } = await aRefusedEvent(key);
    const both = transport.output<RedeliveredMatching>(await ask(key, { dry_run: true }));
    expect(both).toMatchObject({ matching: 2 });
    const { token } = transport.output<RedeliveredMatching>(await ask(key, { dry_run: true, delivery_id }));
    const sent = await ask(key, { token, delivery_id });
    expect(sent.json).toEqual(transport.success({ matching: 1, redelivered: 1, more: false, token: null }));
    const [first = expect.fail(), second = expect.fail()] = await receiver.first(2);
    expect(first.headers['webhook-id']).toBe(event_id);
    expect(idAndBody(second)).toEqual(idAndBody(first));
    expect(await deliveryOf(service, refused, key)).toMatchObject({ status: 'exhausted' });
    await ask(key, { token: both.token });
    await deliveryOnce(service, refused, 'delivered', key);
    expect(receiver.received).toHaveLength(2);
  });

  // Without it a token would promise a delivery to an address that its owner gave up.
  test('an event is not sent again once its endpoint has ended', async () => {
    const key = await aKey(service);
    const { receiver, endpoint_id } = await aRefusedEvent(key);
    const { token } = transport.output<RedeliveredMatching>(await ask(key, { dry_run: true }));
    await service.answer('POST', `/endpoints/${endpoint_id}/end`, undefined, key);
    const sent = await ask(key, { token });
    expect(sent.json).toEqual(transport.success({ matching: 1, redelivered: 0, more: false, token: null }));
    expect(receiver.received).toHaveLength(1);
  });

  test('an operator’s covers every account, and the limit shows that there are more', async () => {
    const [one, other] = [await aKey(service), await aKey(service)];
    const ids = [await aRefused(one, 503), await aRefused(other, 503)];
    const operator = await aKey(service, ['operate']);
    const filters = { status_code: 503, limit: 1 };
    const counted = transport.output<RedeliveredMatching>(await ask(operator, { ...filters, dry_run: true }));
    expect(counted).toMatchObject({ matching: 1, more: true });
    const { token } = counted;
    expect((await ask(operator, { ...filters, token })).json).toEqual(
      transport.success({ matching: 1, redelivered: 1, more: false, token: null }),
    );
    await deliveryOnce(service, ids[0] ?? '', 'delivered', one);
    expect(await deliveryOf(service, ids[1] ?? '', other)).toMatchObject({ status: 'exhausted' });
    expect(
      transport.output<RedeliveredMatching>(await ask(other, { dry_run: true, status_code: 503 })),
    ).toMatchObject({ matching: 1 });
    const rest = transport.output<RedeliveredMatching>(await ask(operator, { ...filters, dry_run: true }));
    await ask(operator, { ...filters, token: rest.token });
    await deliveryOnce(service, ids[1] ?? '', 'delivered', other);
  });

  test.each([
    [{}, 'token', 'missing'],
    [{ token: 'forged' }, 'token', 'value_error'],
    [{ dry_run: 'yes' }, 'dry_run', 'bool_type'],
    [{ dry_run: true, status: 'pending' }, 'status', 'enum'],
    [{ dry_run: true, since: null }, 'since', 'datetime_type'],
    [{ dry_run: true, limit: 10_001 }, 'limit', 'less_than_equal'],
  ])('%o is refused at %s', async (input, field, type) => {
    const answer = await ask(await aKey(service), input);
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid(expect.objectContaining({ loc: ['body', field], type }) as never),
    ]);
  });

  // Without it a script that counts in a loop could read every message of an account a hundred times a second.
  test('is allowed six times a minute', async () => {
    const key = await aKey(service);
    for (let made = 0; made < 6; made += 1) expect((await ask(key, { dry_run: true })).status).toBe(200);
    const refused = await ask(key, { dry_run: true });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.any(String)]);
  });
});
