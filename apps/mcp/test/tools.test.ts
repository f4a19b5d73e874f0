import { spawn } from 'node:child_process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { WorkItem } from '@insurance-verification/schema';
import { describe, expect, onTestFinished, test } from 'vitest';
import { API_KEY, end, runSource, said, useService } from './a-service.ts';

const service = useService();

interface Agent {
  readonly client: Client;
  /** A tool's answer; throws when it is an error. */
  call<T = Record<string, unknown>>(name: string, args?: Record<string, unknown>): Promise<T>;
  /** What a tool says went wrong. */
  refusal(name: string, args?: Record<string, unknown>): Promise<string>;
}

async function anAgent(transport: Parameters<Client['connect']>[0]): Promise<Agent> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const ask = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    const [first] = content as { type: string; text: string }[];
    return { text: first?.text ?? '', structuredContent, isError: isError === true };
  };
  return {
    client,
    call: async <T>(name: string, args?: Record<string, unknown>) => {
      const { text, structuredContent, isError } = await ask(name, args);
      if (isError) throw new Error(`${name}: ${text}`);
      expect(JSON.parse(text)).toEqual(structuredContent);
      return structuredContent as T;
    },
    refusal: async (name, args) => {
      const { text, isError } = await ask(name, args);
      expect(isError).toBe(true);
      return text;
    },
  };
}

const overStdio = () =>
  anAgent(
    new StdioClientTransport({
      command: process.execPath,
      args: runSource('../src/main.ts'),
      env: { PATH: process.env['PATH'] ?? '', IV_URL: service().url, IV_API_KEY: API_KEY },
      stderr: 'pipe',
    }),
  );

async function anHttpServer(): Promise<string> {
  const child = spawn(process.execPath, [...runSource('../src/main.ts'), '--http'], {
    env: { PATH: process.env['PATH'] ?? '', IV_URL: service().url, MCP_PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => end(child));
  return said(child, / at (http:\S+)/);
}

const overHttp = async (headers: Record<string, string> = { 'x-key': API_KEY }) =>
  anAgent(new StreamableHTTPClientTransport(new URL(await anHttpServer()), { requestInit: { headers } }));

const post = async () => {
  const request = await service().client.requests.create({
    patient_info: { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' },
    payer_info: { name: 'Payer Plan 1' },
    provider_info: { npi: '1234567893', name: 'Main Street Dental' },
    callback_url: 'http://127.0.0.1:9/verified',
  });
  return request.request_id ?? '';
};

const found = (item: WorkItem) => ({
  person_uuid: 'person-1',
  verification_time: '2026-11-20T10:00:00Z',
  verification_source: item.channel,
  patient_info: { subscriber_id: item.request.input.patient_info.subscriber_id },
  plan_info: { plan_name: 'PPO Gold', eligibility_status: 'Active' },
});

describe.each([
  ['stdio', overStdio],
  ['streamable HTTP', () => overHttp()],
  ['streamable HTTP with a bearer token', () => overHttp({ authorization: `Bearer ${API_KEY}` })],
])('an agent over %s', (_transport, connect) => {
  // Without it an agent could not do what a verifier does over REST.
  test('claims, reads, heartbeats, submits, fails and releases', { timeout: 60_000 }, async () => {
    const agent = await connect();
    const requestId = await post();
    const { item } = await agent.call<{ item: WorkItem }>('claim_next', {});
    const lease = { request_id: requestId, lease_token: item.lease_token };
    expect(item).toMatchObject({
      request: { request_id: requestId },
      channel: 'agent_web_portal',
      attempt: 1,
    });
    expect(await agent.call('claim_next')).toEqual({ item: null });
    const renewed = await agent.call<{ lease_expires_at: string }>('heartbeat', lease);
    expect(await agent.call('get_request', { request_id: requestId })).toEqual({ ...item, ...renewed });
    expect(await agent.call('release', { ...lease, reason: 'Not mine.' })).toEqual({ status: 'released' });
    expect(await agent.refusal('heartbeat', lease)).toContain('lease_lost');

    const again = (await agent.call<{ item: WorkItem }>('claim_next', { wait_seconds: 5 })).item;
    const submission = { request_id: requestId, lease_token: again.lease_token };
    expect(await agent.call('submit_result', { ...submission, insurance_data: [found(again)] })).toEqual({
      status: 'applied',
      version: 1,
    });
    expect(await service().client.requests.get({ request_id: requestId })).toMatchObject({
      state: 'complete',
    });

    const other = await post();
    const failing = (await agent.call<{ item: WorkItem }>('claim_next')).item;
    const failed = await agent.call('fail', {
      request_id: other,
      lease_token: failing.lease_token,
      error_reason: 'portal_two_factor',
      note: 'It wants a code.',
    });
    expect(failed).toEqual({ status: 'next_channel', next_channel: 'manual_phone_call' });
    expect(await agent.call('claim_next')).toEqual({ item: null }); // a person's channel is not an agent's
  });
});

// Without it an agent could report a person's phone call, or a payer that there is not.
test('the tools take agent channels and the service’s payers alone', { timeout: 60_000 }, async () => {
  const agent = await overStdio();
  const requestId = await post();
  expect(await agent.refusal('claim_next', { channels: ['manual_phone_call'] })).toMatch(/channels/);
  expect(await agent.refusal('claim_next', { payers: ['Nobody'] })).toMatch(/payers/);
  const { item } = await agent.call<{ item: WorkItem }>('claim_next');
  const submit = (entry: object) =>
    agent.refusal('submit_result', {
      request_id: requestId,
      lease_token: item.lease_token,
      insurance_data: [{ ...found(item), ...entry }],
    });
  expect(await submit({ verification_source: 'manual_phone_call' })).toMatch(/verification_source/);
  expect(await submit({ verification_source: 'agent_phone_call' })).toContain('not_the_leased_channel');
  expect(await submit({ patient_info: { subscriber_id: 'X' } })).toContain('not_the_patient');
});

// Without it a client would not ask its user before a result goes out.
test('six tools, their schemas and what they destroy', { timeout: 60_000 }, async () => {
  const { tools } = await (await overStdio()).client.listTools();
  expect(
    Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations?.destructiveHint ?? 'reads'])),
  ).toEqual({
    claim_next: false,
    get_request: 'reads',
    heartbeat: false,
    submit_result: true,
    fail: true,
    release: false,
  });
  const schema = JSON.stringify(tools.find(({ name }) => name === 'submit_result')?.inputSchema);
  expect(schema).toContain('"agent_phone_call"');
  expect(schema).not.toContain('"manual_phone_call"');
  expect(schema).toContain('Payer Plan 4');
});

test(
  'over HTTP a call without a key is 401, with a wrong one a refusal of the service',
  { timeout: 60_000 },
  async () => {
    const url = await anHttpServer();
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await fetch(new URL('/else', url))).status).toBe(404);
    const agent = await overHttp({ 'x-key': 'ivk_live_wrong' });
    expect(await agent.refusal('claim_next')).toContain('API key');
  },
);

test('a program that cannot start says why and ends', { timeout: 60_000 }, async () => {
  const run = async (args: string[], env: Record<string, string>) => {
    const child = spawn(process.execPath, [...runSource('../src/main.ts'), ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return said(child, /^(.*)\n/);
  };
  expect(await run([], {})).toBe('IV_API_KEY: expected a key with the scope verify.');
  expect(await run(['--tcp'], {})).toBe('Expected no argument, for stdio, or --http.');
  expect(await run([], { IV_API_KEY: 'x', IV_URL: 'http://127.0.0.1:1' })).toMatch(
    /^The service cannot be reached/,
  );
});
