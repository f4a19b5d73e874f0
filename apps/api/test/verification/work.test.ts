import type { Scope, WorkItem, WorkPayerList, WorkStats } from '@insurance-verification/schema';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';
import { PHONE, PORTAL, portalThenPhone } from './portal-then-phone.ts';
import { aLease, claim } from './work.ts';

const service = useService(() => ({ env: portalThenPhone() }));

describe.each(transports)('the work over $name', (transport) => {
  const call = (...[operation, input, options]: [Parameters<typeof transport.call>[1], object?, object?]) =>
    transport.call(service, operation, { ...input }, options);

  test('a claim leases a request with what a verifier needs', async () => {
    await claim(service, [PORTAL], { max: 50 });
    const request = await aStoredRequest(service);
    const answer = await call('work.claim', { channels: [PORTAL] });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(
      transport.success({
        items: [
          {
            request,
            service_date: null,
            needed_by: null,
            channel: PORTAL,
            lease_token: expect.any(String),
            lease_expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
            attempt: 1,
            history: [],
            payer: {
              name: 'Payer Plan 1',
              phone_number: '+1 555 0100',
              menu_path: '4, then 2',
              menu_path_changed_on: null,
              phones: [],
              opens_at: null,
              time_zone: null,
              portal_url: 'https://portal.example/',
              notes: 'Have the NPI.',
              sheet: null,
            },
          },
        ],
      }),
    );
    expect((await call('work.claim', { channels: [PORTAL] })).json).toEqual(transport.success({ items: [] }));
  });

  test('a claim of no channel, of an unknown payer, of too many, or that waits too long is 422', async () => {
    for (const input of [
      {},
      { channels: [] },
      { channels: ['fax'] },
      { channels: [PORTAL], payers: ['Nobody'] },
      { channels: [PORTAL], max: 51 },
      { channels: [PORTAL], wait_seconds: 26 },
    ])
      expect((await call('work.claim', input)).status).toBe(422);
  });

  // Otherwise a clinic that calls about a patient would wait until the queue reaches them.
  test('a named request is leased before those that wait longer', async () => {
    await claim(service, [PORTAL], { max: 50 });
    await aStoredRequest(service);
    const request = await aStoredRequest(service);
    const input = { request_id: request.request_id, channels: [PORTAL] };
    const answer = await call('work.claimRequest', input);
    expect([answer.status, answer.json]).toEqual([
      200,
      transport.success({
        request,
        service_date: null,
        needed_by: null,
        channel: PORTAL,
        lease_token: expect.any(String),
        lease_expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
        attempt: 1,
        history: [],
        payer: expect.objectContaining({ name: 'Payer Plan 1', notes: 'Have the NPI.' }),
      }),
    ]);
    const { lease_token } = transport.output<WorkItem>(answer);
    const lease = { request_id: request.request_id, lease_token };
    expect((await call('work.heartbeat', lease)).status).toBe(200);
  });

  test('a named request that is leased, waits elsewhere or is finished is 409, an unknown one 404', async () => {
    const item = await aLease(service, PORTAL);
    const { request_id } = item.request;
    const refusal = async (id: string, channel: string) => {
      const { status, json } = await call('work.claimRequest', { request_id: id, channels: [channel] });
      return [status, json];
    };
    const lease = { holder_name: null, expires_at: item.lease_expires_at, place: null };
    expect(await refusal(request_id, PORTAL)).toEqual([409, transport.problem('request_leased', { lease })]);
    await call('work.release', { request_id, lease_token: item.lease_token });
    // The phone follows after the portal has failed.
    expect(await refusal(request_id, PHONE)).toEqual([409, transport.problem('request_not_claimable')]);
    await call('requests.close', { request_id, reason: 'withdrawn' });
    expect(await refusal(request_id, PORTAL)).toEqual([409, transport.problem('request_finished')]);
    expect(await refusal('req_x', PORTAL)).toEqual([404, transport.problem('not_found')]);
    for (const channels of [undefined, [], ['fax']])
      expect((await call('work.claimRequest', { request_id, channels })).status).toBe(422);
  });

  test('no key is 401, a provider’s key is 403', async () => {
    const provider = await aKey(service);
    const work = [
      'work.claim',
      'work.claimRequest',
      'work.heartbeat',
      'work.release',
      'work.fail',
      'work.submit',
      'work.stats',
      'work.payers',
    ] as const;
    for (const operation of work) {
      const stranger = await call(operation, { request_id: 'req_x' }, { key: null });
      expect([operation, stranger.status, stranger.json]).toEqual([
        operation,
        401,
        transport.problem('unauthorized'),
      ]);
      const refused = await call(operation, { request_id: 'req_x' }, { key: provider });
      const required_scopes: Scope[] = ['work.stats', 'work.payers'].includes(operation)
        ? ['verify', 'operate']
        : ['verify'];
      expect([operation, refused.status, refused.json]).toEqual([
        operation,
        403,
        transport.problem('forbidden', { required_scopes }),
      ]);
    }
    expect((await call('requests.attempts', { request_id: 'req_x' }, { key: null })).status).toBe(401);
    const verifier = await aKey(service, ['verify']);
    for (const operation of ['requests.result', 'requests.attempts'] as const)
      expect((await call(operation, { request_id: 'req_x' }, { key: verifier })).status).toBe(404);
  });

  test('the stats show the state of each channel of each payer', async () => {
    await aStoredRequest(service);
    const { items } = transport.output<WorkStats>(await call('work.stats'));
    expect(items).toHaveLength(8);
    expect(items[0]).toMatchObject({
      payer: 'Payer Plan 1',
      channel: PORTAL,
      waiting_count: expect.any(Number),
      failures: expect.any(Array),
    });
    expect(items[0]?.waiting_count).toBeGreaterThan(0);
  });

  // Without it a verifier would learn how to reach a payer only while a lease is running.
  test('the payers are shown as a claim shows them, to verifiers who hold nothing', async () => {
    const item = await aLease(service, PORTAL);
    const key = await aKey(service, ['verify']);
    const { items } = transport.output<WorkPayerList>(await call('work.payers', {}, { key }));
    expect(items).toHaveLength(4);
    expect(items[0]).toEqual(item.payer);
  });
});

test('the metrics show each payer and channel', async () => {
  await aStoredRequest(service);
  const { text } = await service.ask('GET', '/metrics');
  expect(text).toMatch(/ivs_work_waiting\{payer="plan-1",channel="agent_web_portal"\} \d+/);
  expect(text).toMatch(/ivs_work_oldest_seconds\{payer="plan-1",channel="manual_phone_call"\} \d+/);
});
