import { startSimulator } from '@insurance-verification/payer-simulator';
import type { RequestModel, VerificationAttemptList } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, onTestFinished, test } from 'vitest';
import { aPayersFile } from '../a-payers-file.ts';
import { aService } from '../a-service.ts';
import { verified } from '../verified.ts';

/** A service whose payers all share one simulator, which requires a token. */
async function aConnectedService(channels: readonly string[] = ['api', 'manual_phone_call']) {
  const simulator = await startSimulator({ token: 'a-secret-token' });
  onTestFinished(() => simulator.stop());
  const payers = [1, 2, 3, 4].map((number) => ({
    id: `plan-${number}`,
    name: `Payer Plan ${number}`,
    channels,
    x12_payer_id: `6005${number}`,
    x12: { url: simulator.url, sender_id: 'IVSERVICE', receiver_id: 'SIMULATOR', test: true },
  }));
  const credentials = Object.fromEntries(
    payers.map(({ id }) => [id, { headers: { authorization: 'Bearer a-secret-token' } }]),
  );
  const service = await aService({
    env: {
      PAYERS_FILE: aPayersFile(payers),
      X12_CREDENTIALS: JSON.stringify(credentials),
      LOG_LEVEL: 'trace',
    },
  });
  return { service, simulator };
}

// The channel's purpose: a clinic asks and gets an answer without human work.
test('a posted request is answered by the payer, and its webhook arrives', async () => {
  const { service, simulator } = await aConnectedService();
  const receiver = await aReceiver();
  const body = aRequest({
    patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' },
    payer_info: { name: 'Payer Plan 2' },
    cpt_code_coverage: ['D0120'],
    callback_url: receiver.url,
  });
  const request = await service.answer<RequestModel>('POST', '/requests/', body);
  const [webhook] = await receiver.first();
  expect(webhook && verified(webhook)).toMatchObject({
    request: { request_id: request.request_id, state: 'complete', error_reason: null },
    insurance_data: [
      {
        request_id: request.request_id,
        verification_source: 'api',
        patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17' },
        plan_info: {
          payer_name: 'Payer Plan 2',
          eligibility_status: 'Active',
          cpt_code_coverage: ['D0120'],
        },
      },
    ],
  });
  expect(simulator.received[0]).toContain('NM1*PR*2*Payer Plan 2*****PI*60052~');
  const { items } = await service.answer<VerificationAttemptList>(
    'GET',
    `/requests/${request.request_id}/attempts`,
  );
  expect(items).toMatchObject([{ channel: 'api', outcome: 'succeeded' }]);
  expect(service.logLines.join('')).not.toMatch(/a-secret-token|W123456789|Jane|DOE|1984/);
});

// A payer stores the id without blanks. Broke: its answer was taken for another patient's and discarded.
test('an answer about the member id that was written with blanks is the patient’s', async () => {
  const { service } = await aConnectedService();
  const receiver = await aReceiver();
  const patient = { subscriber_id: 'W123 456 789', dob: '05/17/1984', name: 'Jane Doe' };
  await service.answer('POST', '/requests/', aRequest({ patient_info: patient, callback_url: receiver.url }));
  const [webhook] = await receiver.first();
  expect(webhook && verified(webhook)).toMatchObject({
    request: { state: 'complete', error_reason: null },
    insurance_data: [{ patient_info: { subscriber_id: 'W123 456 789', dob: '1984-05-17' } }],
  });
});

// Staff see whose fault it is, and the payer's own code for it.
test("a rejection of the patient's data reaches the provider with its reason", async () => {
  const { service } = await aConnectedService();
  const receiver = await aReceiver();
  const body = aRequest({
    patient_info: { subscriber_id: 'SIM-AAA-72', name: 'Jane Doe' },
    callback_url: receiver.url,
  });
  const request = await service.answer<RequestModel>('POST', '/requests/', body);
  const [webhook] = await receiver.first();
  expect(webhook && verified(webhook)).toMatchObject({
    request: { state: 'error_verifying', error_reason: 'member_id_invalid' },
    insurance_data: [],
  });
  const { items } = await service.answer<VerificationAttemptList>(
    'GET',
    `/requests/${request.request_id}/attempts`,
  );
  expect(items).toMatchObject([
    {
      channel: 'api',
      outcome: 'failed',
      error_reason: 'member_id_invalid',
      fixed_by: 'patient_data',
      explanation: 'The payer does not know this member id.',
      note: 'The payer answered AAA 72.',
    },
  ]);
});

test('the credentials of a payer that has no connection stop the start', async () => {
  await expect(aService({ env: { X12_CREDENTIALS: '{"plan-1":{}}' } })).rejects.toThrow(
    /X12_CREDENTIALS: no payer of PAYERS_FILE has the id "plan-1"/,
  );
});
