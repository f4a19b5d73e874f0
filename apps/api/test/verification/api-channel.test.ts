import { startSimulator } from '@insurance-verification/payer-simulator';
import {
  type Caller,
  claimWork,
  getBenefits,
  insertRequests,
  listAttempts,
  readX12Exchanges,
  type Route,
  type Store,
  getResult,
} from '@insurance-verification/store';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import type { PayerConnection } from '../../src/config/payer-connection.ts';
import { createResultWriter } from '../../src/output/create-result-writer.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import type { Step } from '../../src/telemetry/tracing.ts';
import { createExchange } from '../../src/verification/api-channel/create-exchange.ts';
import { type ApiChannel, startApiChannel } from '../../src/verification/api-channel/start-api-channel.ts';
import { rows } from '../rows.ts';
import { aPayerConnection, aRequestFor } from './a-connection.ts';
import { aLiveAccount } from './a-live-account.ts';

const PAYER_ID = 'plan-1';

function aRoute(...sources: Route['channels'][number]['source'][]): Route {
  return {
    payerId: PAYER_ID,
    channels: sources.map((source) => ({ source, attemptCountMax: 3, secondsMax: 3_600 })),
    skipsUnattended: false,
    holdsAgentResults: false,
    inFlightCountMax: null,
  };
}

interface Setting {
  readonly route?: Route;
  readonly connection?: Partial<PayerConnection>;
  readonly cutMs?: number;
}

/** For a payer that never answers: of one that does, a busy machine may take longer. */
const SHORT = { cutMs: 500 };

/** A channel with its own database and simulator. */
async function aChannel({
  route = aRoute('api', 'manual_phone_call'),
  connection = {},
  cutMs = 20_000,
}: Setting = {}) {
  const { store, connectionString, caller } = await aLiveAccount();
  const simulator = await startSimulator();
  const exchange = createExchange({ cutMs });
  const logLines: string[] = [];
  const metrics = createMetrics({ lostCount: () => 0 });
  const steps: Step[] = [];
  const start = () =>
    startApiChannel(
      {
        store,
        directUrl: connectionString,
        results: createResultWriter(store),
        exchange,
        routes: [route],
        payerNames: ['Payer Plan 1'],
        wakeDelivery: () => {},
        hints: { publish: () => {} },
        retryDelaysMs: [1, 1],
        metrics,
        tracing: { step: (step) => void steps.push(step), stop: async () => {} },
        log: createLog('trace', { write: (line) => void logLines.push(line) }),
      },
      [aPayerConnection(simulator.url, { payerId: PAYER_ID, ...connection })],
    );
  const running: ApiChannel[] = [start()];
  onTestFinished(async () => {
    for (const channel of running) await channel.stop(0);
    await exchange.close();
    await simulator.stop();
  });
  const request = async (memberId: string, serviceDate: string | null = null) => {
    const [inserted] = await insertRequests(store, [
      { caller, payerId: PAYER_ID, input: aRequestFor(memberId), idempotencyKey: null, serviceDate },
    ]);
    if (inserted?.kind !== 'created') throw new Error('It was not stored.');
    running.at(-1)?.wake();
    return inserted.request.request_id ?? '';
  };
  return {
    store,
    caller,
    simulator,
    logLines,
    metrics,
    steps,
    request,
    connectionString,
    restart: () => running.push(start()),
    stop: (deadlineMs = 5_000) => running.at(-1)?.stop(deadlineMs),
    /** The request's attempts, once none is in progress. */
    attempts: (requestId: string) => attemptsOf(store, caller, requestId),
    result: async (requestId: string) => {
      const found = await getResult(store, { caller, requestId });
      return found.kind === 'found' ? found.result : found.kind;
    },
  };
}

async function attemptsOf(store: Store, caller: Caller, requestId: string) {
  return until('no attempt is under way', async () => {
    const listed = await listAttempts(store, { caller, requestId, withInternals: true });
    const attempts = listed.kind === 'found' ? listed.attempts : [];
    const isOver = attempts.length > 0 && attempts.every(({ outcome }) => outcome !== 'working');
    return isOver
      ? attempts.map((attempt) => ({
          channel: attempt.channel,
          outcome: attempt.outcome,
          errorReason: attempt.error_reason,
        }))
      : null;
  });
}

const succeeded = { channel: 'api', outcome: 'succeeded', errorReason: null };
const failed = (errorReason: string) => ({ channel: 'api', outcome: 'failed', errorReason });

test('each exchange and the result are steps of the request', async () => {
  const { request, steps } = await aChannel();
  const requestId = await request('W123456789');
  await until('both are there', () => steps.length === 2);
  expect(steps).toMatchObject([
    { requestId, name: 'verification x12 exchange', kind: 'client', attributes: { 'ivs.outcome': 'result' } },
    { requestId, name: 'output applied', attributes: { 'ivs.version': 1 } },
  ]);
});

// Without it the payer would be asked about the day of asking, and the visit's be read from its answer.
test('the day of a request goes to the payer, is what the answer is read for, and stands with its benefits', async () => {
  const { attempts, caller, request, store } = await aChannel();
  const requestId = await request('SIM-MEDICAL', '2025-12-03');
  await attempts(requestId);
  const [exchange] = await readX12Exchanges(store, requestId);
  expect(exchange?.inquiry).toContain('DTP*291*D8*20251203~');
  const found = await getBenefits(store, { caller, requestId, version: 1 });
  expect(found).toMatchObject({ serviceDate: '2025-12-03', benefits: { serviceDate: '2025-12-03' } });
});

test('a request is found out about by asking its payer, and the result is on its way', async () => {
  const { attempts, request, result } = await aChannel();
  const requestId = await request('W123456789');
  expect(await attempts(requestId)).toEqual([succeeded]);
  expect(await result(requestId)).toMatchObject({
    request: { state: 'complete', error_reason: null },
    insurance_data: [
      {
        request_id: requestId,
        verification_source: 'api',
        plan_info: { plan_name: 'GOLD PPO', eligibility_status: 'Active' },
      },
    ],
  });
});

test('Inactive is complete', async () => {
  const { attempts, request, result } = await aChannel();
  const requestId = await request('SIM-INACTIVE');
  expect(await attempts(requestId)).toEqual([succeeded]);
  expect(await result(requestId)).toMatchObject({
    request: { state: 'complete' },
    insurance_data: [{ plan_info: { eligibility_status: 'Inactive' } }],
  });
});

// Asked by phone about the same wrong member id, the payer would say the same, half an hour later.
test.each([
  ['SIM-AAA-72', 'member_id_invalid'],
  ['SIM-AAA-71', 'dob_mismatch'],
  ['SIM-AAA-75', 'member_not_found'],
  // Broke: the relative's coverage went out as the patient's, since the member id is the family's.
  ['SIM-RELATIVE', 'member_not_found'],
])("%s, a rejection of the patient's data, is the outcome", async (memberId, reason) => {
  const { attempts, request, result } = await aChannel();
  const requestId = await request(memberId);
  expect(await attempts(requestId)).toEqual([failed(reason)]);
  expect(await result(requestId)).toMatchObject({
    request: { state: 'error_verifying', error_reason: reason },
    insurance_data: [],
  });
});

test.each([
  ['SIM-500', 'payer_unavailable'],
  ['SIM-HANG', 'payer_unavailable'],
  ['SIM-AAA-42', 'payer_unavailable'],
  ['SIM-429', 'payer_throttled'],
  ['SIM-HTML', 'payer_response_invalid'],
  ['SIM-TRUNCATED', 'payer_response_invalid'],
  ['SIM-WRONG-TRACE', 'payer_response_invalid'],
  ['SIM-999', 'payer_response_invalid'],
  ['SIM-UNSURE', 'requires_other_channel'],
  // The payer's own AAA 76 ends the request; what we cannot tell, a person may.
  ['SIM-TWINS', 'member_ambiguous'],
  ['SIM-AAA-51', 'provider_not_enrolled'],
])(
  '%s hands the request to the next channel, for whose verifier the reason is kept',
  async (memberId, reason) => {
    const { store, caller, attempts, request } = await aChannel(memberId === 'SIM-HANG' ? SHORT : {});
    const requestId = await request(memberId);
    expect(await attempts(requestId)).toEqual([failed(reason)]);
    const {
      works: [work],
    } = await claimWork(store, {
      caller,
      routes: [aRoute('api', 'manual_phone_call')],
      channels: ['manual_phone_call'],
      limit: 1,
      leaseSeconds: 60,
    });
    expect(work).toMatchObject({
      requestId,
      channel: 'manual_phone_call',
      history: [
        {
          channel: 'api',
          outcome: 'failed',
          error_reason: reason,
          note: expect.stringMatching(/^The payer answered /),
        },
      ],
    });
  },
);

test('where no channel follows, an outage is the outcome', async () => {
  const { attempts, request, result } = await aChannel({ route: aRoute('api') });
  const requestId = await request('SIM-503');
  expect(await attempts(requestId)).toEqual([failed('payer_unavailable')]);
  expect(await result(requestId)).toMatchObject({
    request: { state: 'error_verifying', error_reason: 'payer_unavailable' },
  });
});

test('every exchange is kept, as it went and came', async () => {
  const { store, simulator, attempts, request } = await aChannel();
  const requestId = await request('SIM-500-ONCE');
  await attempts(requestId);
  const kept = await readX12Exchanges(store, requestId);
  expect(
    kept.map(({ statusCode, errorReason, payerCodes }) => ({ statusCode, errorReason, payerCodes })),
  ).toEqual([
    { statusCode: 500, errorReason: 'payer_unavailable', payerCodes: ['HTTP 500'] },
    { statusCode: 200, errorReason: null, payerCodes: [] },
  ]);
  expect(kept.map(({ inquiry }) => inquiry)).toEqual(simulator.received);
  expect(String(kept[0]?.answer)).toBe('simulated failure');
  expect(String(kept[1]?.answer)).toMatch(/^ISA.*IEA\*1\*\d{9}~$/s);
});

// A payer throttles or locks out a client with too many concurrent inquiries.
test('no more inquiries are under way than the connection allows, of two processes together too', async () => {
  const { simulator, attempts, request, restart } = await aChannel({
    ...SHORT,
    connection: { inFlightCountMax: 2 },
  });
  restart(); // another one, beside the first
  const ids = [];
  for (let index = 0; index < 8; index++) ids.push(await request(index % 2 ? 'W1' : 'SIM-HANG'));
  for (const id of ids) await attempts(id);
  expect(simulator.inFlightMax).toBe(2);
  expect(simulator.received).toHaveLength(8);
});

// Each call to a payer that is down keeps a patient waiting 20 seconds for the next channel.
test('a payer that is down is no longer asked; its requests go on to the next channel at once', async () => {
  const { store, simulator, attempts, request } = await aChannel();
  for (let index = 0; index < 10; index++) await attempts(await request('SIM-500'));
  const count = simulator.received.length;
  expect(count).toBe(30);
  const requestId = await request('W123456789');
  expect(await attempts(requestId)).toEqual([failed('payer_unavailable')]);
  expect(simulator.received).toHaveLength(count);
  expect(await readX12Exchanges(store, requestId)).toEqual([]);
});

test('the answer of a process that died before handing it in is read again, not asked for again', async () => {
  const { connectionString, simulator, attempts, request, restart, result, stop } = await aChannel();
  const requestId = await request('W123456789');
  await attempts(requestId);
  await stop();
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
  expect(simulator.received).toHaveLength(1);
  expect(await result(requestId)).toMatchObject({ request: { state: 'complete' } });
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
