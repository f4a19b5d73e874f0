import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import clientPackage from '@insurance-verification/client/package.json' with { type: 'json' };
import { ERROR_REASONS, PROBLEMS } from '@insurance-verification/schema';
import { openStore } from '@insurance-verification/store';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { inherited } from '@insurance-verification/testing/inherited';
import { API_KEY, ENCRYPTION_KEY } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runSource, startHttpServer, useService } from './a-service.ts';
import { aFinding, aPost, anHttpServer, type HeldItem, overHttp, overStdio } from './an-agent.ts';

const service = useService();

const post = () => aPost(service());
const bearer = { authorization: `Bearer ${API_KEY}` };

describe.each([
  ['stdio', () => overStdio(service())],
  ['streamable HTTP', async () => overHttp(await anHttpServer(service()))],
  ['streamable HTTP with a bearer token', async () => overHttp(await anHttpServer(service()), bearer)],
])('an agent over %s', (_transport, connect) => {
  // Without it an agent could not do what a verifier does over REST.
  test('claims, reads, heartbeats, submits, fails and releases', { timeout: 60_000 }, async () => {
    const agent = await connect();
    const requestId = await post();
    const named = { request_id: requestId };
    const { item } = await agent.call<{ item: HeldItem }>('claim_next', {});
    expect(item).toMatchObject({ request: named, channel: 'agent_web_portal', attempt: 1 });
    expect(item).not.toHaveProperty('lease_token');
    expect(await agent.call('claim_next')).toEqual({ item: null });
    const renewed = await agent.call<{ lease_expires_at: string }>('heartbeat', named);
    const { lease_expires_at: expiresAt, ...again } = await agent.call<HeldItem>('get_request', named);
    expect({ ...again, lease_expires_at: item.lease_expires_at }).toEqual(item);
    expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(Date.parse(renewed.lease_expires_at));
    expect(await agent.call('release', { ...named, reason: 'Not mine.' })).toEqual({ status: 'released' });
    expect(await agent.refusal('heartbeat', named)).toContain('lease_lost');

    await agent.claim('Payer Plan 1');
    expect(await agent.call('submit_result', { ...named, insurance_data: [aFinding] })).toEqual({
      status: 'applied',
      version: 1,
    });
    expect(await service().client.requests.get(named)).toMatchObject({ state: 'complete' });
    // Broke: it was told that what it found can no longer be handed in.
    expect(await agent.call('submit_result', { ...named, insurance_data: [aFinding] })).toEqual({
      status: 'applied',
      version: 1,
    });
    const counted = `You handed in a result of ${requestId}, and it counted.`;
    expect(await agent.refusal('heartbeat', named)).toContain(counted);
    const changed = { ...aFinding, notes: 'Another.' };
    expect(await agent.refusal('submit_result', { ...named, insurance_data: [changed] })).toContain(counted);

    const other = await post();
    await agent.claim('Payer Plan 1');
    const failure = { request_id: other, error_reason: 'portal_two_factor', note: 'It wants a code.' };
    expect(await agent.call('fail', failure)).toEqual({
      status: 'next_channel',
      next_channel: 'manual_phone_call',
    });
    expect(await agent.call('claim_next')).toEqual({ item: null }); // agents get no work of a person's channel
    const { items } = await agent.call<{ items: object[] }>('work_stats');
    expect(items).toContainEqual(
      expect.objectContaining({
        channel: 'agent_web_portal',
        failures: expect.arrayContaining([
          expect.objectContaining({
            error_reason: 'portal_two_factor',
            meaning: ERROR_REASONS.portal_two_factor.sentence,
          }),
        ]),
      }),
    );
  });
});

// An agent that must copy tokens and times makes mistakes.
test(
  'what the lease knows is filled in, and what the payer holds otherwise is kept',
  { timeout: 60_000 },
  async () => {
    const agent = await overStdio(service());
    const requestId = await post();
    const item = await agent.claim('Payer Plan 1');
    const corrected = { subscriber_id: 'W000000001', dob: '1984-05-17', name: 'Jane A. Doe' };
    const insurance_data = [aFinding, { ...aFinding, patient_info: corrected, notes: 'A second coverage.' }];
    await agent.call('submit_result', { request_id: requestId, insurance_data });
    const result = await service().client.requests.result({ request_id: requestId });
    const [first, second] = result.insurance_data ?? [];
    expect(first).toMatchObject({
      ...aFinding,
      verification_source: 'agent_web_portal',
      patient_info: item.from_the_request.patient_info,
      person_uuid: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(Date.parse(first?.verification_time ?? '')).toBeGreaterThan(
      Date.parse(item.request.received_timestamp),
    );
    expect(second).toMatchObject({ patient_info: corrected, person_uuid: first?.person_uuid });
  },
);

// Breaks if what an agent reads at a portal beyond the status has no place to go.
test('benefits that an agent read are the result’s', { timeout: 60_000 }, async () => {
  const agent = await overStdio(service());
  const requestId = await post();
  await agent.claim('Payer Plan 1');
  const benefit = { kind: 'copayment', service: { types: [{ code: '98' }] }, network: 'in', amount: '25' };
  const submission = {
    request_id: requestId,
    insurance_data: [aFinding],
    benefits: [{ entry: 0, benefits: [{ ...benefit, quote: 'Office visit: $25 copay' }] }],
    reference: 'R-7',
  };
  const elsewhere = { ...submission, benefits: [{ entry: 1, benefits: [] }] };
  expect(await agent.refusal('submit_result', elsewhere)).toContain('no_such_entry');
  const applied = { status: 'applied', version: 1 };
  expect(await agent.call('submit_result', submission)).toEqual(applied);
  expect(await agent.call('submit_result', submission)).toEqual(applied);
  const { coverages } = await service().client.requests.benefits({ request_id: requestId });
  expect(coverages).toMatchObject([
    {
      benefits: [
        {
          ...benefit,
          service: { types: [{ code: '98', name: 'Office visit' }] },
          amount: '25.00',
          source: { kind: 'verifier', attempt: 1, quote: 'Office visit: $25 copay', reference: 'R-7' },
        },
      ],
    },
  ]);
});

// Without it an agent could report a person's phone call, an unknown payer, or another patient.
test(
  'the tools take agent channels, the service’s payers and the leased patient alone',
  { timeout: 60_000 },
  async () => {
    const agent = await overStdio(service());
    const requestId = await post();
    expect(await agent.refusal('claim_next', { channels: ['manual_phone_call'] })).toMatch(/channels/);
    expect(await agent.refusal('claim_next', { payers: ['Nobody'] })).toMatch(/payers/);
    await agent.claim('Payer Plan 1');
    const submit = (entry: object) =>
      agent.refusal('submit_result', { request_id: requestId, insurance_data: [{ ...aFinding, ...entry }] });
    expect(await submit({ patient_info: { subscriber_id: 'X' } })).toContain('not_the_patient');
    expect(await submit({ plan_info: { payer_name: 'Nobody' } })).toMatch(/payer_name/);
    const initial = {
      ...aFinding,
      patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Doe, J' },
    };
    expect(await submit(initial)).toContain('patient_unconfirmed');
    const confirmed = { request_id: requestId, insurance_data: [initial], same_patient_confirmed: true };
    expect(await agent.call('submit_result', confirmed)).toMatchObject({ status: 'applied' });
  },
);

// A misspelt argument would be dropped, and the result be sent without it.
// Without it an agent that was given an id of last year would try again, or take the patient for a wrong one.
test('of a request whose data was erased it is told so in a sentence', { timeout: 60_000 }, async () => {
  const agent = await overStdio(service());
  const requestId = await post();
  const { client, databaseUrl: connectionString } = service();
  await client.requests.close({ request_id: requestId, reason: 'withdrawn' });
  const store = await openStore({ connectionString, encryptionKey: ENCRYPTION_KEY });
  // What an erasure leaves; its own tests are the store's.
  await store.db
    .updateTable('request')
    .set({ input: Buffer.alloc(0), erased_at: new Date() })
    .where('id', '=', requestId)
    .execute();
  await store.close();
  const refusal = await agent.refusal('get_request', { request_id: requestId });
  expect(JSON.parse(refusal)).toEqual({
    error: expect.stringContaining(PROBLEMS.request_erased.sentence),
    problem: 'request_erased',
  });
  for (const tool of ['heartbeat', 'release'])
    expect(await agent.refusal(tool, { request_id: requestId })).toContain('lease_lost');
});

test('an unknown argument is refused by name, wherever it stands', { timeout: 60_000 }, async () => {
  const agent = await overStdio(service());
  const submit = (entry: object, beside: object = {}) =>
    agent.refusal('submit_result', { request_id: 'req_x', insurance_data: [entry], ...beside });
  expect(await submit(aFinding, { lease_token: 'x' })).toMatch(
    /Unknown: lease_token\. Known here: request_id, insurance_data, benefits, note, reference, same_patient_confirmed, provenance\./,
  );
  expect(await submit({ ...aFinding, verification_source: 'api' })).toMatch(
    /insurance_data\.0: Unknown: verification_source/,
  );
  expect(await submit({ plan_info: { plan_nmae: 'PPO' } })).toMatch(/plan_info: Unknown: plan_nmae/);
  expect(await submit({ ...aFinding, patient_info: { subscriber_id: 'x', dbo: '' } })).toMatch(
    /Unknown: dbo/,
  );
  const refused = (benefit: object) => submit(aFinding, { benefits: [{ entry: 0, benefits: [benefit] }] });
  expect(await refused({ kind: 'copayment', amout: '25' })).toMatch(/benefits\.0: Unknown: amout/);
  expect(await refused({ kind: 'copayment', service: { type: [] } })).toMatch(/service: Unknown: type\./);
  expect(await refused({ kind: 'copayment', service: { types: [{ cod: '98' }] } })).toMatch(/Unknown: cod\./);
  expect(await refused({ kind: 'copayment', amount: 25 })).toMatch(/amount.*decimal number as text/);
  expect(await submit(aFinding, { benefits: [{ entry: 0, group: '7', benefits: [] }] })).toMatch(
    /Unknown: group\./,
  );
  const named = { request_id: 'req_x' };
  for (const [tool, args] of [
    ['claim_next', {}],
    ['get_request', named],
    ['heartbeat', named],
    ['fail', { ...named, error_reason: 'member_not_found' }],
    ['release', named],
    ['work_stats', {}],
  ] as const)
    expect(await agent.refusal(tool, { ...args, unheard_of: 1 })).toContain('Unknown: unheard_of');
});

// Without it a client would not ask its user before a result goes out, or could not validate a tool's answer.
test(
  'seven tools, their schemas, the reasons’ meanings and what they destroy',
  { timeout: 60_000 },
  async () => {
    const { client } = await overStdio(service());
    expect(client.getServerVersion()).toMatchObject({ version: clientPackage.version });
    const { tools } = await client.listTools();
    expect(
      Object.fromEntries(
        tools.map(({ name, annotations }) => [name, annotations?.destructiveHint ?? 'reads']),
      ),
    ).toEqual({
      claim_next: false,
      get_request: 'reads',
      heartbeat: false,
      submit_result: true,
      fail: true,
      release: false,
      work_stats: 'reads',
    });
    for (const { inputSchema, outputSchema } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: 'object', properties: { notices: { type: 'array' } } });
    }
    const inputOf = (wanted: string) =>
      JSON.stringify(tools.find(({ name }) => name === wanted)?.inputSchema);
    expect(inputOf('claim_next')).toContain('"agent_phone_call"');
    expect(inputOf('claim_next')).not.toContain('"manual_phone_call"');
    expect(inputOf('submit_result')).toContain('Payer Plan 4');
    expect(inputOf('submit_result')).not.toMatch(
      /lease_token|person_uuid|verification_time|verification_source/,
    );
    expect(inputOf('fail')).toContain(`ivr_failure: ${ERROR_REASONS.ivr_failure.sentence}`);
  },
);

test(
  'over HTTP a call without a key is 401, with a wrong one a refusal of the service',
  { timeout: 60_000 },
  async () => {
    const url = await anHttpServer(service());
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await fetch(new URL('/else', url))).status).toBe(404);
    const agent = await overHttp(url, { 'x-key': 'ivk_live_wrong' });
    expect(await agent.refusal('claim_next')).toContain('API key');
  },
);

test('a program that cannot start says why and ends', { timeout: 60_000 }, async () => {
  const run = async (args: string[], env: Record<string, string>) => {
    const child = spawn(process.execPath, [...runSource('../src/main.ts'), ...args], {
      env: { ...inherited(), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return (await text(child.stderr)).split('\n')[0];
  };
  expect(await run([], {})).toBe('IV_API_KEY: expected a key with the scope verify.');
  expect(await run([], { IV_API_KEY_FILE: '/nowhere/key' })).toBe(
    'IV_API_KEY_FILE: /nowhere/key cannot be read (ENOENT).',
  );
  expect(await run([], { IV_API_KEY_FILE: '/nowhere/key', IV_API_KEY: API_KEY })).toBe(
    'IV_API_KEY and IV_API_KEY_FILE are both set. Set one of them.',
  );
  expect(await run(['--tcp'], {})).toBe('Expected no argument, for stdio, or --http.');
  expect(await run([], { IV_API_KEY: 'x', IV_URL: 'http://127.0.0.1:1' })).toMatch(
    /^The service cannot be reached/,
  );
  const folder = aFolder();
  expect(await run([], { IV_API_KEY: 'x', DATA_DIR: folder })).toBe(
    `No service is running with the data folder ${folder}, and IV_URL names none.`,
  );
});

// Broke: it asked port 3000, whoever listened there, while `iv` found the service that runs.
test('without IV_URL it speaks to the service that runs with the data folder', async () => {
  const { url, dataDir } = service();
  const server = await startHttpServer({ DATA_DIR: dataDir });
  onTestFinished(async () => void (await server.stop()));
  await until('it named the service', () => server.said().endsWith('\n'));
  expect(server.said()).toBe(`MCP for ${url} at ${server.url}\n`);
});

test.each(['--help', '-h'])('%s prints how it is used, needs nothing and exits 0', async (flag) => {
  const child = spawn(process.execPath, [...runSource('../src/main.ts'), '--http', flag], {
    env: inherited(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  if (child.exitCode === null) await once(child, 'exit');
  const help = Buffer.concat(chunks).toString();
  for (const word of ['--http', 'IV_URL', 'IV_API_KEY', 'MCP_HOST', 'MCP_PORT']) expect(help).toContain(word);
  expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(child.exitCode).toBe(0);
});
