import { startSimulator } from '@insurance-verification/payer-simulator';
import type { RequestBenefits, RequestModel, ResponseModel } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aKey, anAccount } from '../../a-key.ts';
import { aPayersFile } from '../../a-payers-file.ts';
import { startTestService, type TestService } from '../../a-service.ts';
import { rows } from '../../rows.ts';
import { send } from '../../send.ts';
import { transports } from '../../transports.ts';

let service: TestService;
let simulator: Awaited<ReturnType<typeof startSimulator>>;
beforeAll(async () => {
  simulator = await startSimulator();
  const payers = [1, 2, 3, 4].map((number) => ({
    id: `plan-${number}`,
    name: `Payer Plan ${number}`,
    channels: number === 4 ? ['manual_phone_call'] : ['api', 'manual_phone_call'],
    x12_payer_id: `6005${number}`,
    ...(number < 4 && {
      x12: { url: simulator.url, sender_id: 'IVSERVICE', receiver_id: 'SIMULATOR', test: true },
    }),
  }));
  service = await startTestService({ env: { PAYERS_FILE: aPayersFile(payers) } });
});
afterAll(async () => {
  await service.stop();
  await simulator.stop();
});

/** A request whose payer was asked, and the body of its webhook. */
async function answered(memberId: string, codes: string[] = [], key?: string) {
  const receiver = await aReceiver();
  const body = aRequest({
    patient_info: { subscriber_id: memberId, dob: '1984-05-17', name: 'Jane Doe' },
    payer_info: { name: 'Payer Plan 2' },
    cpt_code_coverage: codes,
    callback_url: receiver.url,
  });
  const { request_id: requestId } = await service.answer<RequestModel & { request_id: string }>(
    'POST',
    '/requests/',
    body,
    key,
  );
  const [webhook] = await receiver.first();
  return { requestId, webhook, receiver };
}

const notesOf = (body = '') => (JSON.parse(body) as ResponseModel).insurance_data[0]?.notes;

const benefitsOf = (requestId: string) =>
  service.answer<RequestBenefits>('GET', `/requests/${requestId}/benefits`);

test('a commercial plan: what to collect is summed up, and no row is lost', async () => {
  const { requestId } = await answered('SIM-MEDICAL', ['99213']);
  const benefits = await benefitsOf(requestId);
  expect(benefits).toMatchObject({
    request_id: requestId,
    version: 1,
    verification_source: 'api',
    left_out: 0,
    coverages: [
      { entry: 0, plan_name: 'GOLD PPO 1500', eligibility_status: 'Active', group_number: '70112' },
    ],
  });
  const [coverage] = benefits.coverages;
  expect(coverage?.benefits).toHaveLength(67);
  expect(coverage?.unanswered).toEqual([{ procedure: '99213' }]);
  expect(coverage?.summary.plan.in_network).toMatchObject({
    coinsurance: { value: '20', unit: 'percent' },
    deductible: {
      individual: { total: { value: '1500.00' }, remaining: { value: '900.00' }, met: { value: '600.00' } },
      family: { met: { value: '900.00' } },
    },
    out_of_pocket: { individual: { total: { value: '5000.00' }, met: { value: '650.00' } } },
  });
  const specialist = coverage?.benefits.find(({ texts }) => texts.includes('SPECIALIST OFFICE VISIT'));
  expect(specialist).toMatchObject({
    kind: 'copayment',
    network: 'in',
    amount: '50.00',
    service: { types: [{ code: '98', name: 'Office visit' }], places: [{ code: '11', name: 'Office' }] },
  });
});

test('a dental plan: percents, frequencies, maximum', async () => {
  const { requestId } = await answered('SIM-DENTAL', ['D0120', 'D2750', 'D2740']);
  const [coverage] = (await benefitsOf(requestId)).coverages;
  expect(coverage?.unanswered).toEqual([{ procedure: 'D2740' }]);
  const [dental] = coverage?.summary.service_types ?? [];
  expect(dental).toMatchObject({
    service_type: '35',
    in_network: {
      maximum: { individual: { total: { value: '1500.00' }, met: { value: '380.00' } } },
      deductible: { individual: { total: { value: '50.00' }, remaining: { value: '0.00' } } },
    },
  });
  const byCode = new Map(coverage?.summary.procedures.map((one) => [one.procedure, one.in_network]));
  // Two exams a year: what a third costs is not said.
  expect(byCode.get('D0120')?.coinsurance).toMatchObject({ why: 'several' });
  expect(byCode.get('D2750')).toMatchObject({
    coinsurance: { value: '50' },
    authorization: { value: 'required' },
  });
  expect(byCode.get('D2740')?.coinsurance).toEqual({ why: 'not_said', benefit_ids: [] });
});

test('Medicare: two parts, and the other payer with its order', async () => {
  const { requestId } = await answered('SIM-MEDICARE');
  const { coverages } = await benefitsOf(requestId);
  expect(coverages.map(({ benefits }) => benefits.length)).toEqual([6, 5, 1]);
  expect(coverages[2]).toMatchObject({
    order: 'secondary',
    benefits: [
      {
        kind: 'other_payer',
        related: [{ role: 'secondary_payer', name: 'SUPPLEMENT MUTUAL', phone: '5555550177' }],
        references: [{ kind: 'policy_number', value: 'XG889120' }],
      },
    ],
  });
  expect(coverages[1]?.summary.plan.network_not_said?.deductible.level_not_said).toMatchObject({
    total: { value: '283.00' },
    remaining: { value: '0.00' },
  });
});

// Breaks if a child's front desk collects nothing because the father's deductible is met.
test("of a child who is only named the subscriber's rest is no value, in the webhook neither", async () => {
  const { requestId, webhook } = await answered('SIM-NAMED-DEPENDENT');
  const [coverage] = (await benefitsOf(requestId)).coverages;
  expect(coverage?.summary.plan.in_network.deductible).toMatchObject({
    individual: {
      total: { value: '1000.00' },
      remaining: { why: 'several', benefit_ids: ['b2'] },
      met: { why: 'several', benefit_ids: ['b1', 'b2'] },
    },
    family: { total: { value: '2000.00' }, remaining: { value: '800.00' } },
  });
  expect(notesOf(webhook?.body)).toContain(
    "Deductible: $1000 a calendar year (the subscriber's, individual, in network).",
  );
  expect(notesOf(webhook?.body)).not.toContain('left');
});

// Breaks if a rider's $50, or the $0 of the first three visits, is collected for a visit under the plan.
test("another plan's amount and one of some visits are no value, in the webhook neither", async () => {
  const { requestId, webhook } = await answered('SIM-OTHER-COSTS');
  const [coverage] = (await benefitsOf(requestId)).coverages;
  expect(coverage?.benefits).toHaveLength(4);
  expect(coverage?.summary.plan.in_network).toMatchObject({
    deductible: { individual: { total: { why: 'several', benefit_ids: ['b1'] } } },
    coinsurance: { value: '20' },
  });
  expect(notesOf(webhook?.body)).toBe('Co-insurance: 20 % (individual, in network).');
});

test('the webhook has the same members as without benefits, and a header that names them', async () => {
  const { requestId, webhook, receiver } = await answered('SIM-MEDICAL');
  expect(webhook?.headers['verification-benefits']).toBe(`/requests/${requestId}/benefits?version=1`);
  await service.answer('POST', `/requests/${requestId}/redeliver`);
  const again = await until('it is delivered again', () => receiver.received[1]);
  expect(again.headers['verification-benefits']).toBe(webhook?.headers['verification-benefits']);
  expect(again.body).toBe(webhook?.body);
  const body = JSON.parse(webhook?.body ?? '') as ResponseModel;
  expect(Object.keys(body)).toEqual(['request', 'insurance_data']);
  expect(webhook?.body).not.toContain('benefit_id');
});

// Breaks if one unit of an account's budget buys 1.7 MB of rows.
test('a read of benefits costs a unit a row, of a proof too', async () => {
  const { account_id } = await anAccount(service);
  const policies = { reads: { quota: 1_000, window_seconds: 86_400 } }; // a unit comes back in 86 s
  await service.answer('POST', `/accounts/${account_id}/limits`, { policies });
  const key = await aKey(service, ['requests'], account_id);
  const { requestId } = await answered('SIM-MEDICAL', [], key);
  const read = (path: string) =>
    send('GET', `${service.url}/requests/${requestId}/${path}`, { headers: { 'x-key': key } });
  const left = async () => {
    const { headers } = await read('result');
    return Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
  };
  // The rows, a proof's coverage, and the read of what is left.
  for (const [path, cost] of [
    ['benefits', 67 + 1],
    ['proof', 67 + 1 + 1],
  ] as const) {
    const before = await left();
    expect((await read(path)).status).toBe(200);
    const used = before - (await left());
    expect(used, path).toBe(cost);
  }
});

test('they are encrypted with the result', async () => {
  const { requestId } = await answered('SIM-MEDICAL');
  const [row] = await rows<{ benefits: Buffer }>(
    service.databaseUrl,
    'select benefits from result where request_id = $1',
    [requestId],
  );
  expect(row?.benefits.length).toBeGreaterThan(1_000);
  expect(row?.benefits.toString('latin1')).not.toMatch(/SPECIALIST|GOLD|EB\*/);
});

describe.each(transports)('over $name', (transport) => {
  const call = (input: Readonly<Record<string, unknown>>, key?: string) =>
    transport.call(service, 'requests.benefits', input, { ...(key !== undefined && { key }) });

  test('a version by its number; one that is not there is not ready', async () => {
    const { requestId: request_id } = await answered('SIM-MEDICAL');
    expect(transport.output<RequestBenefits>(await call({ request_id, version: 1 })).version).toBe(1);
    const missing = await call({ request_id, version: 2 });
    expect(missing.status).toBe(404);
    expect(missing.json).toEqual(transport.problem('result_not_ready'));
    expect((await call({ request_id, version: 0 })).status).toBe(422);
  });

  test('a result that came without has empty lists', async () => {
    const { request_id } = await service.answer<RequestModel & { request_id: string }>(
      'POST',
      '/requests/',
      aRequest({ payer_info: { name: 'Payer Plan 4' } }),
    );
    expect((await call({ request_id })).status).toBe(404);
    const { items } = await service.answer<{ items: { lease_token: string; request: RequestModel }[] }>(
      'POST',
      '/work/claim',
      { channels: ['manual_phone_call'], max: 50 },
      await aKey(service, ['verify']),
    );
    const work = items.find(({ request }) => request.request_id === request_id);
    const output = {
      request: { ...work?.request, state: 'complete' },
      insurance_data: [
        {
          request_id,
          person_uuid: 'person-1',
          verification_time: '2026-11-20T10:15:00Z',
          verification_source: 'manual_phone_call',
          patient_info: work?.request.input.patient_info,
          plan_info: { payer_name: 'Payer Plan 4', eligibility_status: 'Active' },
        },
      ],
    };
    await service.answer('POST', '/verification-output', output, await aKey(service, ['verify']));
    expect(transport.output<RequestBenefits>(await call({ request_id }))).toMatchObject({
      verification_source: 'manual_phone_call',
      service_date: null,
      coverages: [{ eligibility_status: 'Active', benefits: [], unanswered: [], group_number: null }],
    });
  });

  test('no caller of another account, and no verifier who did not work on it', async () => {
    const { requestId: request_id } = await answered('SIM-MEDICAL');
    for (const scopes of [['requests'], ['verify']] as const) {
      const answer = await call({ request_id }, await aKey(service, [...scopes]));
      expect(answer.status, scopes.join(' ')).toBe(404);
    }
  });
});
