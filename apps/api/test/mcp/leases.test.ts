import { aFinding, type Agent, type HeldItem } from '@insurance-verification/testing/an-agent';
import { afterEach, expect, test } from 'vitest';
import { type HttpAgent, useMcpService } from './an-mcp-service.ts';

// This service's leases last five seconds.
const patience = { timeout: 60_000 };

const service = useMcpService();

afterEach(() => service().assertWell());

/** Waits until the lease is renewed without any call. */
async function isKept(agent: Agent, item: HeldItem): Promise<void> {
  const named = { request_id: item.request.request_id };
  const end = async () => Date.parse((await agent.call<HeldItem>('get_request', named)).lease_expires_at);
  await expect.poll(end, { timeout: 30_000 }).toBeGreaterThan(Date.parse(item.lease_expires_at));
}

/** What the next claimant gets once the agent's request can be claimed again. */
async function claimedAfter(item: HeldItem): Promise<object> {
  const payers = [item.payer.name];
  const claim = { channels: ['agent_web_portal' as const], payers, wait_seconds: 25 };
  let next;
  while (!next) [next] = (await service().client.work.claim(claim)).items;
  return { requestId: next.request.request_id, attempt: next.attempt, before: next.history[0]?.outcome };
}

/** Leaves nothing that another test would claim. */
const withdraw = (request_id: string | null) =>
  service().client.requests.close({ request_id: request_id ?? '', reason: 'withdrawn' });

// An agent on the phone calls no tool for half an hour: without it every such call would be wasted. And a departed
// client must not keep its requests.
test('a lease is renewed until its agent ends its session, or is gone', patience, async () => {
  const played = async (payer: string, leave: (agent: HttpAgent) => Promise<void>) => {
    await service().post(payer);
    const agent = await service().agent();
    const item = await agent.claim(payer);
    await isKept(agent, item);
    await leave(agent);
    return [item, await claimedAfter(item)] as const;
  };
  const outcomes = await Promise.all([
    played('Payer Plan 2', (agent) => agent.transport.terminateSession()),
    played('Payer Plan 3', (agent) => agent.client.close()), // without a DELETE, as one that is killed
  ]);
  for (const [{ request }, next] of outcomes) {
    expect(next).toEqual({ requestId: request.request_id, attempt: 2, before: 'lease_expired' });
    await withdraw(request.request_id);
  }
});

/** Claims that the service is done with, whether or not their clients still wait. */
async function endedClaimCount(): Promise<number> {
  const answer = await fetch(`${service().url}/metrics`);
  const lines = (await answer.text()).matchAll(
    /^ivs_http_seconds_count\{.*operation="work\.claim".*\} (\d+)$/gm,
  );
  let sum = 0;
  for (const [, count] of lines) sum += Number(count);
  return sum;
}

// Broke: a request was leased to a call that its agent had given up, and renewed while that agent was connected.
test('a claim whose agent is gone leases nothing', patience, async () => {
  const agent = await service().agent();
  const before = await endedClaimCount();
  const params = { name: 'claim_next', arguments: { payers: ['Payer Plan 2'], wait_seconds: 20 } };
  const ended = agent.client.callTool(params).then(
    () => 'answered',
    () => 'given up',
  );
  await agent.call('work_stats'); // the claim, which was sent before, waits at the service
  await agent.client.close();
  expect(await ended).toBe('given up');
  // The agent has given up before the service knows it, and a request that comes between would be leased and given back.
  await expect.poll(endedClaimCount, { timeout: 15_000 }).toBe(before + 1);
  const request_id = await service().post('Payer Plan 2');
  const claim = { channels: ['agent_web_portal' as const], payers: ['Payer Plan 2'], wait_seconds: 20 };
  const { items } = await service().client.work.claim(claim);
  expect(items).toMatchObject([{ request: { request_id }, attempt: 1 }]);
  await withdraw(request_id);
});

test('a loss is reported once, in words, by whatever tool is called next', patience, async () => {
  const requestId = await service().post('Payer Plan 3');
  const agent = await service().agent();
  await agent.claim('Payer Plan 3');
  await service().client.requests.close({ request_id: requestId, reason: 'withdrawn' });
  const notices = async () => (await agent.call<{ notices?: string[] }>('work_stats')).notices;
  await expect
    .poll(notices, { timeout: 30_000 })
    .toEqual([expect.stringContaining(`You no longer hold ${requestId}: its lease ended`)]);
  expect(await notices()).toBeUndefined();
  const submission = { request_id: requestId, insurance_data: [aFinding] };
  expect(await agent.refusal('submit_result', submission)).toMatch(/You no longer hold .*lease_lost/);
});

// A client whose connection broke returns in another session, with its work done.
test('another session of the key continues with what one held, and no other key does', patience, async () => {
  const requestId = await service().post('Payer Plan 4');
  const first = await service().agent();
  await first.claim('Payer Plan 4');
  const named = { request_id: requestId };
  const { key } = await service().aKey();
  const stranger = await service().agent({ 'x-key': key });
  expect(await stranger.refusal('get_request', named)).toContain('not_found');
  expect(await stranger.refusal('release', named)).toContain(`You hold no lease on ${requestId}`);
  const second = await service().agent();
  await first.transport.terminateSession();
  const submission = { ...named, insurance_data: [aFinding] };
  expect(await second.call('submit_result', submission)).toMatchObject({ status: 'applied' });
});

// The key's rights are looked up with each renewal, and an agent without them must not keep a patient's data.
test('a lease whose key is revoked is lost, and its data with it', patience, async () => {
  const { client } = service();
  const { key, key_id } = await service().aKey();
  const requestId = await service().post('Payer Plan 1');
  const agent = await service().agent({ 'x-key': key });
  await agent.claim('Payer Plan 1');
  await client.keys.revoke({ key_id });
  await expect(agent.call('get_request', { request_id: requestId })).rejects.toThrow('401');
  const next = await client.work.claim({
    channels: ['agent_web_portal'],
    payers: ['Payer Plan 1'],
    wait_seconds: 25,
  });
  expect(next.items).toMatchObject([{ request: { request_id: requestId }, attempt: 2 }]);
  await withdraw(requestId);
});
