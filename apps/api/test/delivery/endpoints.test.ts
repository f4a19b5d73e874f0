import type {
  CreatedEndpoint,
  DeliveryDetail,
  DeliverySummaryList,
  Endpoint,
  EventList,
  TestedEndpoint,
  WebhookEvent,
  WebhookSecret,
} from '@insurance-verification/schema';
import { aReceiver, type Received } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { type TestService, useService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';
import { verified } from '../verified.ts';
import { aFinishedRequest } from './deliveries.ts';

const service = useService();
const at = expect.stringMatching(/Z$/);

const anEndpoint = (url: string, types: readonly string[], key?: string) =>
  service.answer<CreatedEndpoint>('POST', '/endpoints', { url, types }, key);

const eventsOf = (key: string, query = '') =>
  service.answer<EventList>('GET', `/events${query}`, undefined, key);

const postedTo = ({ headers, body }: Received, secret: string) => ({
  id: headers['webhook-id'],
  event: verified({ headers, body, path: '' }, secret) as WebhookEvent,
});

describe.each(transports)('over $name', (transport) => {
  const call = (
    ...args: Parameters<typeof transport.call> extends [TestService, ...infer Rest] ? Rest : never
  ) => transport.call(service, ...args);

  // Without it one of the operations would answer other than the document says.
  test('an endpoint is created, listed, read, changed, tried, rotated and ended', async () => {
    const key = await aKey(service, ['requests', 'secrets']);
    const receiver = await aReceiver();
    const created = await call('endpoints.create', { url: receiver.url, types: ['request.failed'] }, { key });
    const { secret, ...endpoint } = transport.output<CreatedEndpoint>(created);
    expect(created.json).toEqual(
      transport.success({
        endpoint_id: expect.stringMatching(/^ep_/),
        account_id: expect.stringMatching(/^acct_/),
        url: receiver.url,
        types: ['request.failed'],
        covers: 'own',
        created_at: at,
        made_by: expect.stringMatching(/^key_/),
        failing_since: null,
        disabled_at: null,
        disabled_reason: null,
        missed_count: 0,
        secret: expect.stringMatching(/^whsec_/),
      }),
    );
    const { endpoint_id } = endpoint;
    expect((await call('endpoints.list', {}, { key })).json).toEqual(
      transport.success({ items: [endpoint] }),
    );
    expect((await call('endpoints.get', { endpoint_id }, { key })).json).toEqual(transport.success(endpoint));
    const off = await call('endpoints.update', { endpoint_id, enabled: false }, { key });
    expect(off.json).toEqual(transport.success({ ...endpoint, disabled_at: at, disabled_reason: 'paused' }));
    expect((await call('endpoints.test', { endpoint_id }, { key })).json).toEqual(
      transport.problem('not_found'),
    );
    const on = await call(
      'endpoints.update',
      { endpoint_id, enabled: true, types: ['request.overdue'] },
      { key },
    );
    expect(transport.output<Endpoint>(on)).toEqual({ ...endpoint, types: ['request.overdue'] });

    const tested = await call('endpoints.test', { endpoint_id }, { key });
    const { event_id } = transport.output<TestedEndpoint>(tested);
    const [first = expect.fail()] = await receiver.first();
    expect(postedTo(first, secret)).toEqual({
      id: event_id,
      event: {
        id: event_id,
        type: 'endpoint.test',
        account_id: endpoint.account_id,
        occurred_at: at,
        number: null,
        data: { endpoint_id },
      },
    });
    expect(first.headers).not.toHaveProperty('verification-version');

    const rotated = await call('endpoints.rotate', { endpoint_id }, { key });
    const { current, previous } = transport.output<WebhookSecret>(rotated);
    expect(previous).toBe(secret);
    await call('endpoints.test', { endpoint_id }, { key });
    const [, second = expect.fail()] = await receiver.first(2);
    for (const either of [current, secret]) postedTo(second, either);
    const again = await call('endpoints.rotate', { endpoint_id }, { key });
    expect([again.status, again.json]).toEqual([429, transport.problem('rate_limited')]);
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(86_300);

    expect((await call('endpoints.end', { endpoint_id }, { key })).status).toBe(200);
    expect((await call('endpoints.get', { endpoint_id }, { key })).json).toEqual(
      transport.problem('not_found'),
    );
  });

  // Without it a sixth would be taken, or the wrong field be blamed.
  test('a sixth endpoint, and one without a type, is refused', async () => {
    const key = await aKey(service);
    const body = { url: 'http://127.0.0.1:9/events', types: ['request.answered'] };
    for (let count = 0; count < 5; count += 1)
      expect((await call('endpoints.create', body, { key })).status).toBe(200);
    expect((await call('endpoints.create', body, { key })).json).toEqual(
      transport.invalid({
        loc: ['body'],
        msg: 'An account has 5 endpoints at most: end one first',
        type: 'too_many_endpoints',
      }),
    );
    const none = await call('endpoints.create', { ...body, types: [] }, { key });
    expect([none.status, JSON.stringify(none.json)]).toEqual([422, expect.stringContaining('"types"')]);
  });

  // Without it a consumer that was down could not catch up, or would read other accounts' events.
  test('the events of an account are listed from any one of them on, with their attempts', async () => {
    const key = await aKey(service);
    const receiver = await aReceiver();
    const { endpoint_id, account_id } = await anEndpoint(receiver.url, ['request.answered'], key);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.push((await aFinishedRequest(service, receiver.url, key)).request_id);
    const all = await until('all events are delivered', async () => {
      const listed = transport.output<EventList>(await call('events.list', {}, { key }));
      const taken = listed.items.filter(({ deliveries: [one] }) => one?.status === 'delivered');
      return taken.length === 3 && listed;
    });
    expect(all.more).toBe(false);
    const [first] = all.items;
    expect(first).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'request.answered',
      account_id,
      occurred_at: at,
      number: 1,
      data: { request_id: ids[0], version: 1 },
      deliveries: [
        {
          delivery_id: expect.stringMatching(/^msg_/),
          endpoint_id,
          status: 'delivered',
          reason: null,
          next_attempt_at: null,
          attempts: [
            { number: 1, at, outcome: 'succeeded', status_code: 204, duration_ms: expect.any(Number) },
          ],
        },
      ],
    });
    const listed = async (input: object) => {
      const { items, more } = transport.output<EventList>(await call('events.list', { ...input }, { key }));
      return [items.map(({ data }) => data.request_id), more];
    };
    expect(await listed({ limit: 2 })).toEqual([ids.slice(0, 2), true]);
    expect(await listed({ after: first?.id })).toEqual([ids.slice(1), false]);
    expect(await listed({ subject: ids[1] })).toEqual([[ids[1]], false]);
    expect(await listed({ type: 'request.failed' })).toEqual([[], false]);
    expect(await listed({ account_id: 'acct_other' })).toEqual([[], false]);
    expect(await listed({ after: 'evt_00000000000000000000000000' })).toEqual([ids, false]);
    for (const after of ['no id', ids[0], `${first?.id}0`]) {
      const refused = await call('events.list', { after }, { key });
      const msg = 'Value should be the id of an event, evt_…';
      expect([refused.status, refused.json]).toEqual([
        422,
        transport.invalid({ loc: ['query', 'after'], msg, type: 'value_error' }),
      ]);
    }
  });
});

// A leaked intake key must not forge events of an endpoint that its owner made.
test('a key that takes in requests does not rotate the secret of an endpoint, and no answer shows it again', async () => {
  const key = await aKey(service);
  const { endpoint_id, secret } = await anEndpoint('http://127.0.0.1:9/', ['request.answered'], key);
  const refused = await service.ask('POST', `/endpoints/${endpoint_id}/rotate`, { key });
  expect([refused.status, refused.json]).toEqual([
    403,
    expect.objectContaining({ required_scopes: ['secrets'] }),
  ]);
  for (const path of ['/endpoints', `/endpoints/${endpoint_id}`])
    expect((await service.ask('GET', path, { key })).text).not.toContain(secret);
});

// Without it an event would say more than ids, and a receiver that leaks them would leak a patient.
test('nothing that is posted or listed as an event has a patient’s data', async () => {
  const key = await aKey(service);
  const receiver = await aReceiver();
  const { secret } = await anEndpoint(receiver.url, ['request.answered', 'request.failed'], key);
  const request = aRequest();
  await aFinishedRequest(service, 'http://127.0.0.1:9/', key);
  const [posted = expect.fail()] = await receiver.first();
  postedTo(posted, secret);
  const listed = JSON.stringify(await eventsOf(key));
  for (const text of [posted.body, listed])
    for (const part of Object.values(request.patient_info)) expect(text).not.toContain(String(part));
});

// Without it an event would be lost with its attempt, or come again under another id.
test('an event that is refused comes again with the same id and bytes', async () => {
  const key = await aKey(service);
  const receiver = await aReceiver({ status: 500 });
  const { endpoint_id, secret } = await anEndpoint(receiver.url, ['request.answered'], key);
  await service.answer('POST', `/endpoints/${endpoint_id}/test`, undefined, key);
  await receiver.first();
  const failing = await until('the failure is written', async () => {
    const { failing_since } = await service.answer<Endpoint>(
      'GET',
      `/endpoints/${endpoint_id}`,
      undefined,
      key,
    );
    return failing_since;
  });
  expect(failing).toEqual(at);
  receiver.behave({ status: 204 });
  await rows(service.databaseUrl, 'update delivery_queue set run_at = now()');
  const [first = expect.fail(), second = expect.fail()] = await receiver.first(2);
  expect(postedTo(second, secret)).toEqual(postedTo(first, secret));
  expect(second.body).toBe(first.body);
});

// Without it a pending event would be posted to an address that its owner gave up.
test('what is due to an endpoint that ended is given up unsent', async () => {
  const key = await aKey(service);
  const receiver = await aReceiver({ status: 500 });
  const { endpoint_id } = await anEndpoint(receiver.url, ['request.answered'], key);
  await service.answer('POST', `/endpoints/${endpoint_id}/test`, undefined, key);
  await until(
    'the attempt is written',
    async () => (await eventsOf(key)).items[0]?.deliveries[0]?.attempts[0],
  );
  await service.answer('POST', `/endpoints/${endpoint_id}/end`, undefined, key);
  await rows(service.databaseUrl, 'update delivery_queue set run_at = now()');
  const delivery = await until('it is given up', async () => {
    const [one] = (await eventsOf(key)).items.flatMap(({ deliveries }) => deliveries);
    return one?.status === 'exhausted' && one;
  });
  expect(delivery).toMatchObject({ reason: 'endpoint_off', next_attempt_at: null });
  expect(receiver.received).toHaveLength(1);
});

// Without it a list of what did not arrive would lack what an endpoint lost.
test.each(transports)(
  'over $name an event’s delivery is listed, and read with its attempts',
  async (transport) => {
    const key = await aKey(service);
    const receiver = await aReceiver({ status: 500, text: 'no thanks' });
    const { endpoint_id, account_id } = await anEndpoint(receiver.url, ['request.answered'], key);
    const { request_id } = await aFinishedRequest(service, 'http://127.0.0.1:9/', key);
    const [posted = expect.fail()] = await receiver.first();
    const list = async () => {
      const answer = await transport.call(
        service,
        'deliveries.list',
        { host: new URL(receiver.url).host },
        { key },
      );
      return transport.output<DeliverySummaryList>(answer).items;
    };
    const item = await until('its attempt is written', async () => {
      const [one] = await list();
      return one?.attempt_count === 1 && one;
    });
    expect(item).toEqual({
      delivery_id: expect.stringMatching(/^msg_/),
      request_id: null,
      account_id,
      account_name: 'Main Street Dental',
      account_mode: 'live',
      payer: null,
      patient_initials: null,
      version: null,
      event_id: posted.headers['webhook-id'],
      event_type: 'request.answered',
      endpoint_id,
      status: 'pending',
      reason: null,
      host: new URL(receiver.url).host,
      accepted_at: at,
      done_at: null,
      next_attempt_at: at,
      paused_since: null,
      attempt_count: 1,
      last_attempt_at: at,
      last_outcome: 'http_error',
      last_status_code: 500,
    });
    const { delivery_id } = item;
    const read = await transport.call(service, 'deliveries.get', { delivery_id }, { key });
    expect(transport.output<DeliveryDetail>(read)).toEqual({
      ...item,
      attempts: [
        {
          number: 1,
          at,
          outcome: 'http_error',
          status_code: 500,
          duration_ms: expect.any(Number),
          response_snippet: null,
        },
      ],
    });
    const all = await transport.call(service, 'deliveries.list', {}, { key });
    const { items } = transport.output<DeliverySummaryList>(all);
    expect(items.map((one) => one.request_id).toSorted()).toEqual([request_id, null].toSorted());
    const stranger = await transport.call(
      service,
      'deliveries.get',
      { delivery_id },
      { key: await aKey(service) },
    );
    expect(stranger.status).toBe(404);
  },
);

// Without it operators would hear of an endpoint that takes nothing from its owner, days later.
test('operators get an event after 2 hours, after 24 and when an endpoint is disabled, and metrics count it', async () => {
  const receiver = await aReceiver();
  const operators = await anEndpoint(receiver.url, ['endpoint.failing', 'endpoint.disabled']);
  const key = await aKey(service);
  const refusing = await aReceiver({ status: 500 });
  const { endpoint_id, account_id } = await anEndpoint(refusing.url, ['request.answered'], key);
  const failFor = async (interval: string, heard: number) => {
    await rows(
      service.databaseUrl,
      `update webhook_endpoint set failing_since = now() - interval '${interval}' where id = '${endpoint_id}'`,
    );
    await service.answer('POST', `/endpoints/${endpoint_id}/test`, undefined, key);
    const got = await receiver.first(heard);
    const { type, account_id: of, data } = postedTo(got[heard - 1] ?? expect.fail(), operators.secret).event;
    expect(of).toBe(account_id);
    return [type, data];
  };
  const counted = async () => {
    const { text } = await service.ask('GET', '/metrics', { key: null });
    return text.split('\n').filter((line) => line.startsWith('ivs_endpoints_'));
  };
  expect(await failFor('3 hours', 1)).toEqual(['endpoint.failing', { endpoint_id, hours: 2 }]);
  expect(await counted()).toEqual([
    'ivs_endpoints_failing 1',
    'ivs_endpoints_disabled{reason="failing"} 0',
    'ivs_endpoints_disabled{reason="gone"} 0',
  ]);
  expect(await failFor('25 hours', 2)).toEqual(['endpoint.failing', { endpoint_id, hours: 24 }]);
  expect(await failFor('121 hours', 3)).toEqual(['endpoint.disabled', { endpoint_id, reason: 'failing' }]);
  expect(await counted()).toEqual([
    'ivs_endpoints_failing 0',
    'ivs_endpoints_disabled{reason="failing"} 1',
    'ivs_endpoints_disabled{reason="gone"} 0',
  ]);
  for (const { id, of } of [
    { id: endpoint_id, of: key },
    { id: operators.endpoint_id, of: undefined },
  ])
    await service.answer('POST', `/endpoints/${id}/end`, undefined, of);
  expect((await counted())[1]).toBe('ivs_endpoints_disabled{reason="failing"} 0');
});

// Without it an operator's system would see only its own account.
test('an operator’s endpoint gets the events of every account', async () => {
  const receiver = await aReceiver();
  const { covers, endpoint_id } = await anEndpoint(receiver.url, ['request.answered']);
  expect(covers).toBe('all');
  const key = await aKey(service);
  const { request_id } = await aFinishedRequest(service, 'http://127.0.0.1:9/', key);
  const [posted = expect.fail()] = await receiver.first();
  expect(JSON.parse(posted.body)).toMatchObject({ type: 'request.answered', data: { request_id } });
  await service.answer('POST', `/endpoints/${endpoint_id}/end`);
});
