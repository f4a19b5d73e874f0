import { aFinding } from '@insurance-verification/testing/an-agent';
import { until } from '@insurance-verification/testing/until';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { rows } from '../rows.ts';
import { aCallback, ask, echo, subscribe } from './a-callback.ts';
import { initialize, post } from './a-wire.ts';
import { useMcpService } from './an-mcp-service.ts';

const service = useMcpService({ channels: ['agent_web_portal', 'manual_phone_call'] });

const aSecret = (byteCount: number) => `whsec_${Buffer.alloc(byteCount, 7).toString('base64')}`;

/** The code and data of a refusal. */
const refusal = (asking: Promise<unknown>) =>
  asking.then(
    () => expect.fail('It was not refused.'),
    (err: unknown) => {
      const { code, data } = err as { readonly code: number; readonly data?: unknown };
      return { code, data };
    },
  );

// Without it a client would not know that there are events, or would ask for one that its key may not have.
test('events/list has what the key may have, and the capability is declared', async () => {
  const agent = await service().agent();
  // The SDK's client does not show a capability that it does not know.
  expect((await post(service(), initialize)).text).toContain('"events":{"listChanged":false}');
  const { events } = (await ask(agent, 'events/list', {})) as { events: Record<string, unknown>[] };
  expect(events.map(({ name }) => name)).toEqual([
    'work.available',
    'request.answered',
    'request.failed',
    'batch.ended',
  ]);
  expect(events[0]).toEqual({
    name: 'work.available',
    description: expect.any(String),
    delivery: ['webhook'],
    inputSchema: expect.objectContaining({ type: 'object', additionalProperties: false }),
    payloadSchema: expect.objectContaining({ required: ['payer', 'channel', 'count'] }),
  });
  const { key } = await service().aKey();
  const verifier = await service().agent({ 'x-key': key });
  const listed = (await ask(verifier, 'events/list', {})) as { events: { name: string }[] };
  expect(listed.events.map(({ name }) => name)).toEqual(['work.available']);
  const callback = await aCallback();
  expect(await refusal(subscribe(verifier, callback, { name: 'request.answered' }))).toMatchObject({
    code: -32_012,
  });
  expect(callback.receiver.received).toEqual([]);
});

// Without it a client could have events posted to an address that does not want them.
test('a callback address is challenged once, and one that does not echo gets nothing', async () => {
  const agent = await service().agent();
  const callback = await aCallback();
  callback.receiver.behave({ status: 200, text: '{"challenge":"another"}' });
  const subscribing = () => subscribe(agent, callback, { arguments: { payer: 'Payer Plan 4' } });
  expect(await refusal(subscribing())).toEqual({ code: -32_015, data: { reason: 'challenge_failed' } });
  callback.receiver.behave({ status: 500, text: 'secret of another service' });
  expect(await refusal(subscribing())).toEqual({ code: -32_015, data: { reason: 'http_5xx' } });
  callback.receiver.behave({ status: 302, headers: { location: 'http://127.0.0.1:9/' } });
  expect(await refusal(subscribing())).toEqual({ code: -32_015, data: { reason: 'http_4xx' } });
  callback.receiver.behave(echo());
  const { id } = await subscribing();
  const [, , , last = expect.fail()] = callback.challenges();
  new Webhook(callback.secret).verify(last.body, last.headers as Record<string, string>);
  expect(last.headers).toMatchObject({
    'webhook-id': expect.stringMatching(/^msg_verification_/),
    'x-mcp-subscription-id': id,
  });
  expect((await subscribing()).id).toBe(id); // a refresh
  expect(callback.challenges()).toHaveLength(4);
});

// Without it a subscription would be made that nothing is ever posted to, or that posts into a private network.
test.each([
  ['an unknown event', { name: 'patient.born' }, { code: -32_011, data: { kind: 'event' } }],
  ['an unknown payer', { arguments: { payer: 'Payer Plan 9' } }, { code: -32_602 }],
  ['an unknown argument', { arguments: { patient: 'Jane' } }, { code: -32_602 }],
  ['another mode', { delivery: { mode: 'poll' } }, { code: -32_014 }],
  ['a private address', { delivery: { url: 'http://10.0.0.1/events' } }, { code: -32_602 }],
  ['a name of the machine itself', { delivery: { url: 'http://169.254.169.254/' } }, { code: -32_602 }],
  ['no address', { delivery: { url: 'events' } }, { code: -32_602 }],
  ['a short secret', { delivery: { secret: aSecret(23) } }, { code: -32_602 }],
  ['a long secret', { delivery: { secret: aSecret(65) } }, { code: -32_602 }],
  ['no secret', { delivery: { secret: undefined } }, { code: -32_602 }],
] as const)('%s is refused', async (_, { delivery, ...given }: Record<string, object | string>, expected) => {
  const agent = await service().agent();
  const callback = await aCallback();
  const asked = {
    name: 'work.available',
    ...given,
    delivery: { mode: 'webhook', url: callback.receiver.url, secret: aSecret(24), ...(delivery as object) },
  };
  expect(await refusal(ask(agent, 'events/subscribe', asked))).toMatchObject(expected);
  expect(callback.receiver.received).toEqual([]);
});

// Without it an agent would have to poll for work, or a post would say more than where work is.
test('an agent is woken by work, with a count and no patient, and by another payer not at all', async () => {
  const agent = await service().agent();
  const callback = await aCallback();
  const { id } = await subscribe(agent, callback, { arguments: { payer: 'Payer Plan 1' } });
  await service().post('Payer Plan 2');
  const requestId = await service().post('Payer Plan 1');
  const [event = expect.fail()] = await callback.first();
  expect(event).toEqual({
    eventId: expect.stringMatching(/^evt_/),
    name: 'work.available',
    timestamp: expect.stringMatching(/Z$/),
    data: { payer: 'Payer Plan 1', channel: 'agent_web_portal', count: 1 },
    cursor: null,
    subscription: id,
  });
  const posted = callback.receiver.received.find(({ body }) => !body.includes('challenge')) ?? expect.fail();
  expect(posted.headers['webhook-id']).toBe(event.eventId);
  for (const word of ['Jane', 'W123456789', '1984', requestId]) expect(posted.body).not.toContain(word);
  await ask(agent, 'events/unsubscribe', {
    name: 'work.available',
    arguments: { payer: 'Payer Plan 1' },
    delivery: { mode: 'webhook', url: callback.receiver.url },
  });
});

// Without it a result would be reported in another shape than the protocol's, or to a key that was revoked.
test('the answer to a request is an event, until the key that subscribed is revoked', async () => {
  const { key, key_id: keyId } = await service().aKey({ scopes: ['verify', 'requests'] });
  const agent = await service().agent({ 'x-key': key });
  const callback = await aCallback();
  await subscribe(agent, callback, { name: 'request.answered' });
  const verify = async () => {
    const requestId = await service().post('Payer Plan 3');
    const item = await (await service().agent()).claim('Payer Plan 3');
    expect(item.request.request_id).toBe(requestId);
    await (
      await service().agent()
    ).call('submit_result', { request_id: requestId, insurance_data: [aFinding] });
    return requestId;
  };
  const requestId = await verify();
  const [event] = await callback.first();
  expect(event).toMatchObject({ name: 'request.answered', data: { request_id: requestId, version: 1 } });
  await service().client.keys.revoke({ key_id: keyId });
  const later = await verify();
  await until('the event was written', async () => {
    const found = await rows(service().databaseUrl, `select from event where subject_id = '${later}'`);
    return found.length > 0;
  });
  expect(callback.events()).toHaveLength(1);
});

// Without it a client that is gone would get posts for ever, or one that stays would lose its subscription.
test('a subscription has a time to live, which a refresh renews, with another secret as well', async () => {
  const agent = await service().agent();
  const callback = await aCallback();
  const subscribing = (ttlMs?: number | null, secret = callback.secret) =>
    subscribe(
      agent,
      { ...callback, secret },
      {
        name: 'request.failed',
        ...(ttlMs !== undefined && { ttlMs }),
      },
    );
  const lifeOf = async (ttlMs?: number | null) => {
    const { refreshBefore } = await subscribing(ttlMs);
    return Math.round((Date.parse(refreshBefore) - Date.now()) / 60_000);
  };
  expect(await lifeOf(3_600_000)).toBe(60);
  expect(await lifeOf(1)).toBe(1);
  expect(await lifeOf()).toBe(1_440);
  expect(await lifeOf(null)).toBe(10_080);
  const { id } = await subscribing(3_600_000, aSecret(64));
  const [row] = await rows<{ both: boolean }>(
    service().databaseUrl,
    `select previous_secret is not null as both from webhook_endpoint where subscription = '${id}'`,
  );
  expect(row).toEqual({ both: true });
  await rows(
    service().databaseUrl,
    `update webhook_endpoint set expires_at = now() where subscription = '${id}'`,
  );
  const gone = { name: 'request.failed', delivery: { mode: 'webhook', url: callback.receiver.url } };
  expect(await refusal(ask(agent, 'events/unsubscribe', gone))).toEqual({
    code: -32_011,
    data: { kind: 'subscription' },
  });
  expect((await subscribing(60_000)).id).toBe(id);
  expect(callback.challenges()).toHaveLength(2);
  await ask(agent, 'events/unsubscribe', gone);
});

// Without it a callback address that is gone would be tried for ever, and one that is too small again and again.
test.each([
  [410, 'webhook_gone', true],
  [413, 'webhook_exhausted', false],
])('%i ends the delivery without a retry', async (status, reason, endsSubscription) => {
  const agent = await service().agent();
  const callback = await aCallback();
  const payer = `Payer Plan ${status === 410 ? 2 : 4}`;
  const { id } = await subscribe(agent, callback, { arguments: { payer } });
  callback.receiver.behave(echo(status));
  await service().post(payer);
  const ended = await until('the delivery ended', async () => {
    const found = await rows<{ reason: string; attempt_count: number; is_ended: boolean }>(
      service().databaseUrl,
      `select reason, attempt_count, ended_at is not null as is_ended from delivery
       join webhook_endpoint on webhook_endpoint.id = endpoint_id where subscription = '${id}' and status = 'exhausted'`,
    );
    return found.length > 0 && found;
  });
  expect(ended[0]).toEqual({ reason, attempt_count: 1, is_ended: endsSubscription });
});
