import { ERROR_REASONS } from '@insurance-verification/schema';
import { aFinding, type HeldItem } from '@insurance-verification/testing/an-agent';
import { describe, expect, test } from 'vitest';
import { BOOTSTRAP_KEY } from '../a-service.ts';
import { useMcpService } from './an-mcp-service.ts';

const service = useMcpService();

const post = () => service().post();
const bearer = { authorization: `Bearer ${BOOTSTRAP_KEY}` };

describe.each([
  ['the header x-key', undefined, {}],
  ['a bearer token', bearer, {}],
  ['the protocol of 2026-07-28', undefined, { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
])('an agent with %s', (_, headers, options) => {
  // Without it an agent could not do what a verifier does over REST.
  test('claims, reads, heartbeats, submits, fails and releases', { timeout: 60_000 }, async () => {
    const agent = await service().agent(headers, options);
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
    // Broke: it read that a result of its own can no longer be submitted.
    expect(await agent.call('submit_result', { ...named, insurance_data: [aFinding] })).toEqual({
      status: 'applied',
      version: 1,
    });
    const counted = `You submitted a result of ${requestId}, and it counted.`;
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
    const { items } = await agent.call<{ items: { payer: string; channel: string }[] }>('work_stats');
    // Of eight channels of four payers: the one that failed, and the one that it waits in next.
    expect(items.map(({ payer, channel }) => `${payer} ${channel}`)).toEqual([
      'Payer Plan 1 agent_web_portal',
      'Payer Plan 1 manual_phone_call',
    ]);
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
    const agent = await service().agent();
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
  const agent = await service().agent();
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

// Without it a client would not ask its user before a result goes out, or could not validate a tool's answer.
test(
  'seven tools, their schemas, the reasons’ meanings and what they destroy',
  { timeout: 60_000 },
  async () => {
    const { client } = await service().agent();
    expect(client.getServerVersion()).toMatchObject({ name: 'insurance-verification', version: '0.1.0' });
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
    // Several clients drop what is referred to, and their models know nothing of a coverage.
    expect(JSON.stringify(tools)).not.toMatch(/\$ref|\$defs|definitions/);
    // Broke: 86,860 bytes, some 20,000 tokens before the first claim.
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(30_000);
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
