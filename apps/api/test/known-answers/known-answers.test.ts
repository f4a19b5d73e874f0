import { startSimulator } from '@insurance-verification/payer-simulator';
import type {
  AccuracyReport,
  KnownAnswer,
  RequestList,
  RequestModel,
  SeededRequest,
  SeededRequestList,
} from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aPayersFile } from '../a-payers-file.ts';
import { aService, useService } from '../a-service.ts';
import { aTestAccount } from '../access/a-test-account.ts';
import { transports } from '../transports.ts';

const service = useService();

const about = (subscriber_id: string, answer: KnownAnswer) => ({
  request: aRequest({ patient_info: { subscriber_id, dob: '1984-05-17', name: 'Jane Doe' } }),
  answer,
});

describe.each(transports)('known answers over $name', (transport) => {
  test('a seeded request is listed with its answer, and in no list of the account that seeded it', async () => {
    const seed = about('W1', { eligibility_status: 'Active', codes: [{ code: 'D0120', is_covered: true }] });
    const created = await transport.call(service, 'knownAnswers.create', seed);
    expect(created.status).toBe(200);
    const seeded = transport.output<SeededRequest>(created);
    expect(seeded).toEqual({
      request_id: expect.stringMatching(/^req_/),
      payer: seed.request.payer_info.name,
      patient_initials: 'J. D.',
      state: 'pending',
      answer: seed.answer,
      seeded_at: expect.any(String),
      seeded_by: expect.stringMatching(/^key_/),
      seeded_by_name: 'first live key',
    });
    const list = await transport.call(service, 'knownAnswers.list', { limit: 1 });
    expect(transport.output<SeededRequestList>(list).items).toEqual([seeded]);
    const own = await transport.call(service, 'requests.list');
    expect(transport.output<RequestList>(own).items).toEqual([]);
    const report = transport.output<AccuracyReport>(await transport.call(service, 'knownAnswers.report'));
    expect(report.items).toEqual([]); // nothing is answered yet
  });

  test('422 for a day or a time that no request can have, as for any', async () => {
    const headers = { 'service-date': 'tomorrow', 'needed-by': '2020-01-01T00:00:00Z' };
    for (const [name, value] of Object.entries(headers)) {
      const options = { headers: { [name]: value } };
      const refused = await transport.call(service, 'knownAnswers.create', about('W1', {}), options);
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(`["header","${name}"]`)]);
    }
  });

  // Broke: a request that nothing could be compared with was seeded, and verifiers worked on it for no figure.
  test('422 for a seed without a right answer', async () => {
    const fault = {
      loc: ['body', 'answer'],
      msg: 'Value should have at least one field of the right answer: without one nothing is measured',
      type: 'value_error',
    };
    for (const answer of [{}, { codes: [] }]) {
      const refused = await transport.call(service, 'knownAnswers.create', about('W-NONE', answer));
      expect([refused.status, refused.json]).toEqual([422, transport.invalid(fault)]);
    }
  });

  test('no key, no person and no request is made for its account', async () => {
    await transport.call(service, 'knownAnswers.create', about('W1', { plan_name: 'PPO Gold' }));
    const account_id = 'acct_00000000000000000000000002';
    const fault = {
      loc: ['body', 'account_id'],
      msg: 'There is no account with this id',
      type: 'account_not_found',
    };
    for (const [operation, input] of [
      ['keys.create', { account_id, scopes: ['requests'] }],
      ['staff.add', { account_id, name: 'Alex', roles: ['requester'] }],
    ] as const) {
      const refused = await transport.call(service, operation, input);
      expect([refused.status, refused.json], operation).toEqual([422, transport.invalid(fault)]);
    }
  });

  test('422 for a key of a test account, and for a malformed cursor', async () => {
    const { testKey: key } = await aTestAccount(service);
    const refused = await transport.call(service, 'knownAnswers.create', about('W1', {}), { key });
    expect([refused.status, refused.json]).toEqual([
      422,
      transport.invalid({
        loc: ['body', 'request'],
        msg: 'A key of a test account seeds no request: verifiers of live requests would get it',
        type: 'value_error',
      }),
    ]);
    const list = await transport.call(service, 'knownAnswers.list', { cursor: 'x' });
    expect(list.status).toBe(422);
  });
});

// Without it a seed with one right field would be worked on, and be in no figure.
test('of a right answer with one field, what is answered in it is measured', async () => {
  const own = await aService();
  const seed = about('W-ONE', { plan_name: 'PPO Gold' });
  const { request_id } = await own.answer<SeededRequest>('POST', '/known-answers', seed);
  const request = await own.answer<RequestModel>('GET', `/requests/${request_id}`);
  const plan_info = { eligibility_status: 'Inactive', plan_name: 'PPO Gold' } as const;
  const { insurance_data } = anOutput(request, { insurance_data: [aCoverage(request, { plan_info })] });
  const claim = { channels: ['manual_web_portal', 'manual_phone_call', 'agent_web_portal'] };
  const { lease_token } = await own.answer<{ lease_token: string }>(
    'POST',
    `/work/${request_id}/claim`,
    claim,
  );
  await own.answer('POST', `/work/${request_id}/submit`, { lease_token, insurance_data });
  const report = await own.answer<AccuracyReport>('GET', '/known-answers/report');
  expect(report.items).toMatchObject([
    { field: 'plan_name', answered_count: 1, right_count: 1, wrong_count: 0, unanswered_count: 0 },
  ]);
});

// Without it the X12 channel, which answers most requests, would be the one whose answers are never measured.
test('what a payer answers over X12 is measured: one member right, one wrong on purpose', async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.stop());
  const payers = [1, 2, 3, 4].map((number) => ({
    id: `plan-${number}`,
    name: `Payer Plan ${number}`,
    channels: ['api', 'manual_phone_call'],
    x12_payer_id: `6005${number}`,
    x12: { url: simulator.url, sender_id: 'IVSERVICE', receiver_id: 'SIMULATOR', test: true },
  }));
  const connected = await aService({ env: { PAYERS_FILE: aPayersFile(payers) } });
  const seed = (body: object) => connected.answer<SeededRequest>('POST', '/known-answers', body);
  await seed(about('SIM-ACTIVE', { eligibility_status: 'Active', plan_name: 'GOLD PPO' }));
  const wrong = await seed(about('SIM-INACTIVE', { eligibility_status: 'Active', plan_name: 'GOLD PPO' }));
  const report = await until('both are answered', async () => {
    const found = await connected.answer<AccuracyReport>('GET', '/known-answers/report');
    return found.items[0]?.answered_count === 2 && found;
  });
  const of = { verifier_id: null, verifier_name: null, channel: 'api', code: null };
  expect(report.items).toMatchObject([
    {
      ...of,
      field: 'eligibility_status',
      right_count: 1,
      wrong_count: 1,
      wrong_request_ids: [wrong.request_id],
    },
    { ...of, field: 'plan_name', right_count: 2, wrong_count: 0, wrong_request_ids: [] },
  ]);
});
