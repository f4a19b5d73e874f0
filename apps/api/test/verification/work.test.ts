import {
  ERROR_REASONS,
  type Scope,
  type VerificationAttemptList,
  type WorkItem,
  type WorkPayerList,
  type WorkStats,
} from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';
import { verified } from '../verified.ts';
import { aFinding, aLease, aRouteFile, claim, lapse } from './work.ts';

const PORTAL = 'agent_web_portal';
const PHONE = 'manual_phone_call';

let service: TestService;
beforeAll(async () => {
  const facts = {
    phone_number: '+1 555 0100',
    menu_path: '4, then 2',
    portal_url: 'https://portal.example/',
    notes: 'Have the NPI.',
  };
  service = await startTestService({ env: aRouteFile([PORTAL, PHONE], facts) });
});
afterAll(() => service.stop());

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

  test('a heartbeat renews the lease', async () => {
    const item = await aLease(service, PORTAL);
    const answer = await call('work.heartbeat', {
      request_id: item.request.request_id,
      lease_token: item.lease_token,
    });
    const { lease_expires_at: until_ } = transport.output<{ lease_expires_at: string }>(answer);
    expect(Date.parse(until_)).toBeGreaterThanOrEqual(Date.parse(item.lease_expires_at));
  });

  // A verifier's result must have the effects of an accepted output: the state, the result, one signed webhook.
  test('a submission is delivered', async () => {
    const receiver = await aReceiver();
    const item = await aLease(service, PORTAL, { callback_url: receiver.url });
    const insurance_data = [aFinding(item)];
    const answer = await call('work.submit', {
      request_id: item.request.request_id,
      lease_token: item.lease_token,
      insurance_data,
    });
    expect([answer.status, answer.json]).toEqual([200, transport.success({ status: 'applied', version: 1 })]);
    const [webhook] = await receiver.first();
    expect(webhook && verified(webhook)).toEqual({
      request: { ...item.request, state: 'complete' },
      insurance_data,
    });
  });

  test('a submission of another channel or another patient is 422 at the entry, and the lease still holds', async () => {
    const item = await aLease(service, PORTAL);
    const lease = { request_id: item.request.request_id, lease_token: item.lease_token };
    const other = aFinding(item, { verification_source: PHONE });
    const wrongSource = await call('work.submit', { ...lease, insurance_data: [aFinding(item), other] });
    expect([wrongSource.status, wrongSource.json]).toEqual([
      422,
      transport.invalid({
        loc: ['body', 'insurance_data', 1, 'verification_source'],
        msg: 'The entry must be of the leased channel',
        type: 'not_the_leased_channel',
      }),
    ]);
    const stranger = aFinding(item, { patient_info: { subscriber_id: 'X' } });
    const wrongPatient = await call('work.submit', { ...lease, insurance_data: [stranger] });
    expect([wrongPatient.status, wrongPatient.json]).toEqual([
      422,
      transport.invalid({
        loc: ['body', 'insurance_data', 0, 'patient_info'],
        msg: 'The entry must be about the patient of the request',
        type: 'not_the_patient',
      }),
    ]);
    const both = await call('work.submit', { ...lease, insurance_data: [stranger, other] });
    expect([both.status, both.json]).toEqual([
      422,
      transport.invalid(
        {
          loc: ['body', 'insurance_data', 0, 'patient_info'],
          msg: 'The entry must be about the patient of the request',
          type: 'not_the_patient',
        },
        {
          loc: ['body', 'insurance_data', 1, 'verification_source'],
          msg: 'The entry must be of the leased channel',
          type: 'not_the_leased_channel',
        },
      ),
    ]);
    expect((await call('work.submit', { ...lease, insurance_data: [aFinding(item)] })).status).toBe(200);
  });

  test('a submission that may be of another patient is 422 until the verifier confirms it, and then counts', async () => {
    const item = await aLease(service, PORTAL);
    const { request_id } = item.request;
    const initial = aFinding(item, { patient_info: { ...item.request.input.patient_info, name: 'Doe, J' } });
    const submission = { request_id, lease_token: item.lease_token, insurance_data: [initial] };
    const unconfirmed = await call('work.submit', submission);
    expect([unconfirmed.status, unconfirmed.json]).toEqual([
      422,
      transport.invalid({
        loc: ['body', 'insurance_data', 0, 'patient_info'],
        msg: 'The entry may be about another patient: the name does not show that it is the patient. If you are certain, send it again with same_patient_confirmed',
        type: 'patient_unconfirmed',
      }),
    ]);
    const father = aFinding(item, {
      patient_info: { ...item.request.input.patient_info, dob: '1950-01-01' },
    });
    const refused = await call('work.submit', {
      ...submission,
      insurance_data: [father],
      same_patient_confirmed: true,
    });
    expect(refused.status).toBe(422);
    const confirmed = await call('work.submit', { ...submission, same_patient_confirmed: true });
    expect([confirmed.status, confirmed.json]).toEqual([
      200,
      transport.success({ status: 'applied', version: 1 }),
    ]);
    const attempts = await call('requests.attempts', { request_id });
    expect(JSON.stringify(attempts.json)).toContain('"same_patient_confirmed":true');
  });

  test('a failure hands on to the next channel with its history, and after the last the request ends', async () => {
    const receiver = await aReceiver();
    const item = await aLease(service, PORTAL, { callback_url: receiver.url });
    const { request_id } = item.request;
    const first = await call('work.fail', {
      request_id,
      lease_token: item.lease_token,
      error_reason: 'portal_maintenance',
      note: 'Down until noon.',
    });
    expect([first.status, first.json]).toEqual([
      200,
      transport.success({ status: 'next_channel', next_channel: PHONE }),
    ]);
    const next = (await claim(service, [PHONE], { max: 50 })).find(
      (found) => found.request.request_id === request_id,
    );
    expect(next).toMatchObject({
      attempt: 2,
      history: [{ number: 1, channel: PORTAL, error_reason: 'portal_maintenance', note: 'Down until noon.' }],
    });
    const last = await call('work.fail', {
      request_id,
      lease_token: next?.lease_token,
      error_reason: 'member_not_found',
      reference: 'CALL-9',
    });
    expect(last.json).toEqual(transport.success({ status: 'error_verifying', next_channel: null }));
    const [webhook] = await receiver.first();
    expect(webhook && verified(webhook)).toEqual({
      request: { ...item.request, state: 'error_verifying', error_reason: 'member_not_found' },
      insurance_data: [],
    });
  });

  test('a reason of the delivery, or none of the registry, is 422', async () => {
    const item = await aLease(service, PORTAL);
    for (const error_reason of ['webhook_gone', 'tired', undefined]) {
      const input = { request_id: item.request.request_id, lease_token: item.lease_token, error_reason };
      expect((await call('work.fail', input)).status).toBe(422);
    }
  });

  test('a released request is there for the next', async () => {
    const item = await aLease(service, PORTAL);
    const { request_id } = item.request;
    const answer = await call('work.release', {
      request_id,
      lease_token: item.lease_token,
      reason: 'Lunch.',
    });
    expect([answer.status, answer.json]).toEqual([200, transport.success({ status: 'released' })]);
    const again = await claim(service, [PORTAL], { max: 50 });
    expect(again.map(({ request }) => request.request_id)).toContain(request_id);
  });

  test('a lost lease is 409, an unknown request 404, and neither changes anything', async () => {
    const item = await aLease(service, PORTAL);
    const { request_id } = item.request;
    const leased = {
      'work.heartbeat': {},
      'work.release': {},
      'work.fail': { error_reason: 'payer_unavailable' },
      'work.submit': { insurance_data: [aFinding(item)] },
    } as const;
    for (const [operation, input] of Object.entries(leased) as [keyof typeof leased, object][]) {
      const lost = await call(operation, { ...input, request_id, lease_token: 'stale' });
      expect([operation, lost.status, lost.json]).toEqual([operation, 409, transport.problem('lease_lost')]);
      const unknown = await call(operation, { ...input, request_id: 'req_x', lease_token: item.lease_token });
      expect([operation, unknown.status, unknown.json]).toEqual([
        operation,
        404,
        transport.problem('not_found'),
      ]);
      expect((await call(operation, { ...input, request_id })).status).toBe(422);
    }
    expect((await call('work.heartbeat', { request_id, lease_token: item.lease_token })).status).toBe(200);
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
    expect((await call('requests.result', { request_id: 'req_x' }, { key: verifier })).status).toBe(403);
    expect((await call('requests.attempts', { request_id: 'req_x' }, { key: verifier })).status).toBe(404);
  });

  // The provider must see why it failed and who must fix it, but no notes between verifiers.
  test('the attempts show the provider why and who must fix it; notes and keys are for operators', async () => {
    const provider = await aKey(service);
    const request = await aStoredRequest(service, {}, provider);
    const items = await claim(service, [PORTAL], { max: 50 });
    const item = items.find((found) => found.request.request_id === request.request_id);
    await call('work.fail', {
      request_id: request.request_id,
      lease_token: item?.lease_token,
      error_reason: 'dob_mismatch',
      note: 'The clinic always mistypes.',
      reference: 'CALL-7',
    });
    const shown = {
      number: 1,
      channel: PORTAL,
      started_at: expect.any(String),
      ended_at: expect.any(String),
      outcome: 'failed',
      error_reason: 'dob_mismatch',
      fixed_by: 'patient_data',
      explanation: ERROR_REASONS.dob_mismatch.sentence,
      reference: 'CALL-7',
      provenance: [],
      result_version: null,
      on_call_until: null,
    };
    const input = { request_id: request.request_id };
    const own = await call('requests.attempts', input, { key: provider });
    expect([own.status, own.json]).toEqual([200, transport.success({ items: [shown] })]);
    const whole = await call('requests.attempts', input);
    expect(transport.output<VerificationAttemptList>(whole).items).toEqual([
      { ...shown, note: 'The clinic always mistypes.', key_id: expect.stringMatching(/^key_/) },
    ]);
    const other = await call('requests.attempts', input, { key: await aKey(service) });
    expect([other.status, other.json]).toEqual([404, transport.problem('not_found')]);
  });

  test('the stats show how each channel of each payer stands', async () => {
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

// A killed verifier's request must not wait for somebody to notice.
test('a lapsed lease comes back by itself', async () => {
  const item = await aLease(service, PORTAL);
  await lapse(service, item.request.request_id);
  await until('its attempt has ended', async () => {
    const { items } = await service.answer<VerificationAttemptList>(
      'GET',
      `/requests/${item.request.request_id}/attempts`,
    );
    return items.at(-1)?.outcome === 'lease_expired';
  });
  const again = await claim(service, [PORTAL], { max: 50 });
  expect(again.map(({ request }) => request.request_id)).toContain(item.request.request_id);
});

test('an output voids the lease', async () => {
  const item = await aLease(service, PORTAL);
  await service.answer('POST', '/verification-output', anOutput(item.request));
  const path = `/work/${item.request.request_id}/heartbeat`;
  expect((await service.ask('POST', path, { body: { lease_token: item.lease_token } })).status).toBe(409);
});

test('the metrics show each payer and channel', async () => {
  await aStoredRequest(service);
  const { text } = await service.ask('GET', '/metrics');
  expect(text).toMatch(/ivs_work_waiting\{payer="plan-1",channel="agent_web_portal"\} \d+/);
  expect(text).toMatch(/ivs_work_oldest_seconds\{payer="plan-1",channel="manual_phone_call"\} \d+/);
});
