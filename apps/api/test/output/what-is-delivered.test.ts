import type { ResponseModel } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { aService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { verified } from '../verified.ts';

// The sender of a result must not be able to redirect it, or to rewrite the request.
test('the request block and the destination are the stored ones, whatever the output says', async () => {
  const receiver = await aReceiver();
  const thief = await aReceiver();
  const service = await aService();
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  const input = aRequest({
    patient_info: { ...request.input.patient_info, name: 'Mallory', address: null },
    payer_info: { ...request.input.payer_info, phone_number: '666' },
    provider_info: { npi: request.input.provider_info.npi, name: 'Mallory' },
    cpt_code_coverage: ['D9999'],
    callback_url: thief.url,
  });
  const tampered = anOutput(request, {
    input,
    received_timestamp: '1999-01-01T00:00:00Z',
    error_reason: 'x',
  });
  expect(await service.answer('POST', '/verification-output', tampered)).toEqual({
    status: 'applied',
    version: 1,
  });
  const [webhook] = await receiver.first();
  const expected = {
    request: { ...request, state: 'complete', error_reason: null },
    insurance_data: [aCoverage(request)],
  };
  expect(webhook && verified(webhook)).toEqual(expected);
  expect(await service.answer('GET', `/requests/${request.request_id}/result`)).toEqual(expected);
  expect(thief.received).toEqual([]);
});

test('known fields go out verbatim, unknown ones are dropped, a bare time becomes RFC 3339 and a midnight its date', async () => {
  const receiver = await aReceiver();
  const service = await aService();
  const request = await aStoredRequest(service, { callback_url: receiver.url });
  const coverage = aCoverage(request, {
    notes: 'NUL \0, half \ud800, 👩🏽‍⚕️',
    verification_time: '2026-11-20t09:08:07.123456789-05:00',
  });
  const bare = aCoverage(request, {
    verification_time: '2026-11-20 09:08:07',
    plan_info: { start_date: '2026-01-01T00:00:00', end_date: '2026-12-31T00:00:00.000Z', plan_name: null },
  });
  const output = anOutput(request, { insurance_data: [{ ...coverage, secret: 1 } as typeof coverage, bare] });
  await service.answer('POST', '/verification-output', output);
  const [webhook] = await receiver.first();
  const { insurance_data } = verified(webhook ?? expect.fail()) as ResponseModel;
  expect(insurance_data).toEqual([
    coverage,
    {
      ...bare,
      verification_time: '2026-11-20T09:08:07Z',
      plan_info: { start_date: '2026-01-01', end_date: '2026-12-31', plan_name: null },
    },
  ]);
});

test('no answer before a result is result_not_ready, and every coverage of it after', async () => {
  const service = await aService();
  const request = await aStoredRequest(service);
  const path = `/requests/${request.request_id}/result`;
  const early = await service.ask('GET', path);
  expect([early.status, early.json]).toEqual([
    404,
    {
      type: '/docs/problems/result_not_ready',
      title: 'Result not ready',
      status: 404,
      detail: 'The request has no result yet.',
      code: 'result_not_ready',
    },
  ]);
  const insurance_data = [
    aCoverage(request, { uuid: '1' }),
    aCoverage(request, { uuid: '2' }),
    aCoverage(request, { uuid: '3' }),
  ];
  await service.answer('POST', '/verification-output', anOutput(request, { insurance_data }));
  const expected: ResponseModel = { request: { ...request, state: 'complete' }, insurance_data };
  expect(await service.answer('GET', path)).toEqual(expected);
});
