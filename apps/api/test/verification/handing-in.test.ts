import { ERROR_REASONS, type VerificationAttemptList } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';
import { verified } from '../verified.ts';
import { PHONE, PORTAL, portalThenPhone } from './portal-then-phone.ts';
import { aFinding, aLease, claim } from './work.ts';

const service = useService(() => ({ env: portalThenPhone() }));

describe.each(transports)('the work over $name', (transport) => {
  const call = (...[operation, input, options]: [Parameters<typeof transport.call>[1], object?, object?]) =>
    transport.call(service, operation, { ...input }, options);

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

  test('a failure passes to the next channel with its history, and after the last the request ends', async () => {
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
});
