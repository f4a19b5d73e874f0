import { getBenefits, readX12Exchanges } from '@insurance-verification/store';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { rows } from '../rows.ts';
import { aChannel, SHORT, succeeded } from './an-api-channel.ts';

test('each exchange and the result are steps of the request', async () => {
  const { request, steps } = await aChannel();
  const requestId = await request('W123456789');
  await until('all are there', () => steps.length === 3);
  const exchange = { requestId, name: 'verification x12 exchange', kind: 'client' };
  expect(steps).toMatchObject([
    { ...exchange, attributes: { 'ivs.inquiry': 1, 'ivs.outcome': 'result' } },
    { ...exchange, attributes: { 'ivs.inquiry': 2, 'ivs.outcome': 'result' } },
    { requestId, name: 'output applied', attributes: { 'ivs.version': 1 } },
  ]);
});

// Without it the payer would be asked about the day of asking, and the visit's be read from its answer.
test('the day of a request goes to the payer, is what the answer is read for, and is kept with its benefits', async () => {
  const { attempts, caller, request, store } = await aChannel();
  const requestId = await request('SIM-MEDICAL', '2025-12-03');
  await attempts(requestId);
  const [exchange] = await readX12Exchanges(store, requestId);
  expect(exchange?.inquiry).toContain('DTP*291*D8*20251203~');
  const found = await getBenefits(store, { caller, requestId, version: 1 });
  expect(found).toMatchObject({ serviceDate: '2025-12-03', benefits: { serviceDate: '2025-12-03' } });
});

test('every exchange is kept, as it went and came', async () => {
  const { store, simulator, attempts, request } = await aChannel();
  const requestId = await request('SIM-500-ONCE');
  await attempts(requestId);
  const kept = await readX12Exchanges(store, requestId);
  expect(kept).toMatchObject([
    { inquiryNumber: 1, statusCode: 500, errorReason: 'payer_unavailable', payerCodes: ['HTTP 500'] },
    { inquiryNumber: 1, statusCode: 200, errorReason: null, payerCodes: [] },
    { inquiryNumber: 2, statusCode: 200, errorReason: null, payerCodes: [] },
  ]);
  expect(kept.map(({ inquiry }) => inquiry)).toEqual(simulator.received);
  expect(String(kept[0]?.answer)).toBe('simulated failure');
  expect(String(kept[1]?.answer)).toMatch(/^ISA.*IEA\*1\*\d{9}~$/s);
});

// A payer throttles or locks out a client with too many concurrent inquiries.
test('no more inquiries are under way than the connection allows, of two processes together too', async () => {
  const { simulator, attempts, request, restart } = await aChannel({
    connection: { inFlightCountMax: 2 },
  });
  restart(); // another one, beside the first
  const ids = [];
  for (let index = 0; index < 8; index++) ids.push(await request(index % 2 ? 'W1' : 'SIM-SLOW'));
  for (const id of ids) await attempts(id);
  expect(simulator.inFlightMax).toBe(2);
  expect(simulator.received).toHaveLength(16); // two of each request
});

// Payers charge for each inquiry. Where the process died after the first, only the second is asked for.
test.each([
  ['both', 2, ''],
  ['the first', 3, 'delete from x12_exchange where inquiry_number = 2'],
])('a process that died after %s answers reads them again', async (_, count, change) => {
  const { connectionString, simulator, attempts, request, restart, result, stop } = await aChannel();
  const requestId = await request('W123456789');
  await attempts(requestId);
  await stop();
  if (change !== '') await rows(connectionString, change);
  // The state after a crash: the exchange is stored, the lease has expired, and there is no outcome.
  for (const table of ['delivery_attempt', 'delivery_queue', 'delivery'])
    await rows(connectionString, `delete from ${table}`);
  await rows(connectionString, 'delete from result');
  await rows(
    connectionString,
    `update verification_attempt set outcome = 'working', ended_at = null, result_version = null`,
  );
  await rows(
    connectionString,
    `with reset as (
       update request set outcome = 'none', delivery = 'none', version = 0, channel = null returning *
     )
     insert into work_queue (request_id, account_id, payer_id, pool, channel, lease, leased_at, leased_until)
     select id, account_id, payer_id, 'live', 'api', gen_random_uuid(), now(), now() - interval '1 second' from reset`,
  );
  restart();
  expect(await attempts(requestId)).toEqual([
    { channel: 'api', outcome: 'lease_expired', errorReason: null },
    succeeded,
  ]);
  expect(simulator.received).toHaveLength(count);
  expect(await result(requestId)).toMatchObject({
    request: { state: 'complete' },
    insurance_data: [{ plan_info: { cpt_code_coverage: ['D0120', 'D1110'] } }],
  });
});

test('a stop gives back what is under way, at no cost to the request', async () => {
  const { simulator, attempts, request, stop } = await aChannel();
  const requestId = await request('SIM-HANG');
  await until('the payer is asked', () => simulator.received.length > 0);
  await stop(0);
  expect(await attempts(requestId)).toEqual([{ channel: 'api', outcome: 'released', errorReason: null }]);
});

test('nothing about the patient reaches a log line or a metric', async () => {
  const { attempts, logLines, metrics, request } = await aChannel(SHORT);
  const memberIds = [
    'W123456789',
    'SIM-AAA-72',
    'SIM-HTML',
    'SIM-500',
    'SIM-TRUNCATED',
    'SIM-RESET',
    'SIM-NO-HTTP',
    'SIM-HANG',
  ];
  for (const memberId of memberIds) await attempts(await request(memberId));
  expect(logLines.length).toBeGreaterThanOrEqual(memberIds.length);
  const written = logLines.join('') + (await metrics.registry.metrics());
  expect(written).toContain('member_id_invalid');
  for (const secret of [
    ...memberIds,
    'Jane',
    'JANE',
    'Doe',
    'DOE',
    '1984-05-17',
    '19840517',
    'D0120',
    '1234567893',
    'Main Street',
  ])
    expect(written).not.toContain(secret);
});
