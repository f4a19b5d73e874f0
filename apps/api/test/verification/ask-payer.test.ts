import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type PayerSimulator, startSimulator } from '@insurance-verification/payer-simulator';
import { askedProcedures, leanInquiry, readInterchanges } from '@insurance-verification/x12';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayerConnection } from '../../src/config/payer-connections.ts';
import { askPayer, type PayerExchange } from '../../src/verification/api-channel/ask-payer.ts';
import { createExchange, type Exchange } from '../../src/verification/api-channel/create-exchange.ts';
import { aPayerConnection, aRequestFor } from './a-connection.ts';

let simulator: PayerSimulator;
/** The same code with a timeout of half a second instead of twenty. */
let exchange: Exchange;
beforeAll(async () => {
  simulator = await startSimulator();
  exchange = createExchange({ cutMs: 500 });
});
afterAll(async () => {
  await exchange.close();
  await simulator.stop();
});

let controlNumber = 0;
let asked = 0;

interface Asked {
  readonly serviceDate?: string;
  readonly connection?: PayerConnection;
  readonly exchange?: Exchange;
  readonly signal?: AbortSignal;
}

/** The outcome, and every exchange: those recorded before the next began, and the last. */
async function ask(memberId: string, options: Asked = {}) {
  const kept: PayerExchange[] = [];
  const last = await askPayer({
    exchange,
    connection: aPayerConnection(simulator.url),
    request: aRequestFor(memberId),
    content: { ...leanInquiry(aRequestFor(memberId)), procedures: askedProcedures(aRequestFor(memberId)) },
    number: 1,
    requestId: `req_${String((asked += 1)).padStart(26, '0')}`,
    serviceDate: null,
    payerNames: ['Payer Plan 1'],
    nextControlNumber: async () => (controlNumber += 1),
    keep: async (one) => void kept.push(one),
    retryDelaysMs: [1, 1],
    signal: new AbortController().signal,
    ...options,
  });
  return { finding: last.finding, kept: [...kept, last] };
}

test('asks for a request and reads the coverage', async () => {
  const { finding, kept } = await ask('W123456789');
  expect(finding).toMatchObject({
    kind: 'result',
    insuranceData: [
      {
        verification_source: 'api',
        patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'JANE DOE' },
        plan_info: {
          payer_name: 'Payer Plan 1',
          plan_name: 'GOLD PPO',
          eligibility_status: 'Active',
          cpt_code_coverage: ['D0120', 'D1110'],
        },
      },
    ],
  });
  expect(kept).toMatchObject([{ exchanged: { kind: 'answered', statusCode: 200 } }]);
  expect(kept[0]?.inquiry).toBe(simulator.received.at(-1));
  expect(kept[0]?.exchanged.received?.toString()).toMatch(/^ISA/);
});

// Without it a coverage that ended shows as active on the day of the visit, or the payer is asked about another day.
test('the day that a request names is asked about, and decides whether a coverage holds', async () => {
  const then = await ask('SIM-ENDED', { serviceDate: '2020-06-01' });
  expect(then.kept[0]?.inquiry).toContain('DTP*291*D8*20200601~');
  expect(then.finding).toMatchObject({
    serviceDate: '2020-06-01',
    insuranceData: [{ plan_info: { eligibility_status: 'Active' } }],
  });
  const after = await ask('SIM-ENDED', { serviceDate: '2021-06-01' });
  expect(after.finding).toMatchObject({ insuranceData: [{ plan_info: { eligibility_status: 'Inactive' } }] });
});

// Failures of the first kind are retried, others never: the payer may have done the work, and would charge twice.
test.each([
  ['SIM-500', 'payer_unavailable', 'HTTP 500', 3],
  ['SIM-503', 'payer_unavailable', 'HTTP 503', 3],
  ['SIM-429', 'payer_throttled', 'HTTP 429', 3],
  ['SIM-AAA-42', 'payer_unavailable', 'AAA 42', 3],
  ['SIM-AAA-04', 'payer_throttled', 'AAA 04', 3],
  ['SIM-HTML', 'payer_response_invalid', 'X12 interchange_missing', 3],
  ['SIM-HANG', 'payer_unavailable', 'timeout', 1],
  ['SIM-HANG-MIDWAY', 'payer_unavailable', 'timeout', 1],
  ['SIM-RESET', 'payer_unavailable', expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/), 1],
  ['SIM-NO-HTTP', 'payer_unavailable', 'no HTTP', 1],
  ['SIM-401', 'portal_credentials_invalid', 'HTTP 401', 1],
  ['SIM-TRUNCATED', 'payer_response_invalid', expect.stringMatching(/^X12 /), 1],
  ['SIM-WRONG-TRACE', 'payer_response_invalid', 'TRN', 1],
  ['SIM-WRONG-CONTROL', 'payer_response_invalid', 'X12 control_number_mismatch', 1],
  ['SIM-999', 'payer_response_invalid', '999 R', 1],
  ['SIM-TA1', 'payer_response_invalid', 'TA1 R 022', 1],
  ['SIM-AAA-72', 'member_id_invalid', 'AAA 72', 1],
])('%s is %s (%s), asked %i times', async (memberId, reason, code, times) => {
  const { finding, kept } = await ask(memberId);
  expect(finding).toMatchObject({ kind: 'no_result', reason, payerCodes: [code] });
  expect(kept).toHaveLength(times);
});

test('a payer that recovers is heard; every inquiry has a control number of its own and the same trace', async () => {
  const { finding, kept } = await ask('SIM-500-ONCE');
  expect(finding.kind).toBe('result');
  const interchanges = kept.map(({ inquiry }) => readInterchanges(inquiry).interchanges[0]);
  expect(new Set(interchanges.map((one) => one?.controlNumber)).size).toBe(2);
  const traces = kept.map(({ inquiry }) => /TRN\*1\*(\w+)/.exec(inquiry)?.[1]);
  expect(new Set(traces).size).toBe(1);
});

test('the same answer twice is the same result', async () => {
  const requestId = 'req_00000000000000000000000042';
  const uuids = [];
  for (let turn = 0; turn < 2; turn++) {
    const { finding } = await askPayer({
      exchange,
      connection: aPayerConnection(simulator.url),
      request: aRequestFor('W1'),
      requestId,
      content: leanInquiry(aRequestFor('W1')),
      number: 1,
      serviceDate: null,
      payerNames: ['Payer Plan 1'],
      nextControlNumber: async () => (controlNumber += 1),
      keep: async () => {},
      signal: new AbortController().signal,
    });
    uuids.push(finding.insuranceData[0]?.person_uuid);
  }
  expect(uuids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  expect(uuids[1]).toBe(uuids[0]);
});

test.each(['json', 'multipart'] as const)('travels in a %s envelope', async (envelope) => {
  const connection = aPayerConnection(simulator.url, {
    envelope,
    credentials: { username: 'user', password: 'secret' },
  });
  expect((await ask('W1', { connection })).finding.kind).toBe('result');
});

test('proves who asks, and shows the credentials nowhere else', async () => {
  const guarded = await startSimulator({ token: 'a-secret-token' });
  try {
    const headers = { authorization: 'Bearer a-secret-token' };
    const right = await ask('W1', {
      connection: aPayerConnection(guarded.url, { credentials: { headers } }),
    });
    expect(right.finding.kind).toBe('result');
    expect(JSON.stringify(right)).not.toContain('a-secret-token');
    const wrong = await ask('W1', { connection: aPayerConnection(guarded.url) });
    expect(wrong.finding).toMatchObject({ reason: 'portal_credentials_invalid' });
  } finally {
    await guarded.stop();
  }
});

test('no server there: asked again, since nothing was sent', async () => {
  const { port } = await new Promise<AddressInfo>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address() as AddressInfo;
      server.close(() => resolve(address));
    });
  });
  const { finding, kept } = await ask('W1', { connection: aPayerConnection(`http://127.0.0.1:${port}/`) });
  expect(finding).toMatchObject({ reason: 'payer_unavailable', payerCodes: ['ECONNREFUSED'] });
  expect(kept).toHaveLength(3);
});

test('an answer without an end is given up, and a redirect is not followed', async () => {
  const server = createServer((req, res) => {
    if (req.url === '/redirect') return void res.writeHead(307, { location: simulator.url }).end();
    const chunk = Buffer.alloc(1_048_576, 'A');
    const more = () => {
      while (!res.destroyed && res.write(chunk));
    };
    res.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const patient = createExchange();
  try {
    const endless = await ask('W1', { exchange: patient, connection: aPayerConnection(`${url}/endless`) });
    expect(endless.finding).toMatchObject({ reason: 'payer_response_invalid', payerCodes: ['too large'] });
    const count = simulator.received.length;
    const redirected = await ask('W1', { connection: aPayerConnection(`${url}/redirect`) });
    expect(redirected.finding).toMatchObject({ reason: 'payer_response_invalid', payerCodes: ['HTTP 307'] });
    expect(simulator.received).toHaveLength(count);
  } finally {
    await patient.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const tls = (name: string) =>
  readFileSync(new URL(`../../../../packages/webhook/test/tls/${name}`, import.meta.url), 'utf8');

test.each([
  ['valid', 'result'],
  ['expired', 'no_result'],
  ['wrong-host', 'no_result'],
  ['self-signed', 'no_result'],
])('a payer with a %s certificate gives a %s', async (name, kind) => {
  const secure = await startSimulator({ tls: { key: tls(`${name}.key.pem`), cert: tls(`${name}.crt.pem`) } });
  const trusting = createExchange({ ca: tls('ca.crt.pem') });
  try {
    const { finding, kept } = await ask('W1', {
      exchange: trusting,
      connection: aPayerConnection(secure.url),
    });
    expect(finding.kind).toBe(kind);
    // No patient data goes to an unverified server.
    if (kind === 'no_result') expect(secure.received).toEqual([]);
    expect(kept).toHaveLength(1);
  } finally {
    await trusting.close();
    await secure.stop();
  }
});

test('a lost lease ends the inquiry, and nothing is made of it', async () => {
  const lost = new AbortController();
  const asking = ask('SIM-HANG', { signal: lost.signal });
  lost.abort(new Error('The lease was lost.'));
  await expect(asking).rejects.toThrow();
});

// Broke: the payer was charged a failed attempt, and its breaker counted it, for a connection that was never tried.
test('a process without a descriptor asks no payer, and that is no answer of the payer', async () => {
  const fixture = fileURLToPath(new URL('exchange-without-descriptors.fixture.ts', import.meta.url));
  const program = `'${process.execPath}' --conditions=@insurance-verification/source '${fixture}'`;
  const { stdout } = await promisify(execFile)('sh', ['-c', `ulimit -n 64; exec ${program}`]);
  expect(stdout).toBe('EMFILE EMFILE\n');
});
