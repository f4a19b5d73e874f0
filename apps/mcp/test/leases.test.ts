import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { expect, test } from 'vitest';
import { LeaseBooks } from '../src/leases/lease-books.ts';
import { Presence } from '../src/leases/presence.ts';
import { useService } from './a-service.ts';
import { aFinding, type Agent, aPost, anHttpServer, type HeldItem, overHttp, overStdio } from './an-agent.ts';

// This service's leases last five seconds.
const patience = { timeout: 60_000 };

const service = useService();

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
test('a lease is renewed until its agent closes stdio, ends its session, or is gone', patience, async () => {
  const overProcess = async () => {
    await aPost(service(), 'Payer Plan 1');
    const agent = await overStdio(service());
    const item = await agent.claim('Payer Plan 1');
    await isKept(agent, item);
    await agent.client.close();
    return [item, await claimedAfter(item)] as const;
  };
  const overSession = async () => {
    await aPost(service(), 'Payer Plan 2');
    const agent = await overHttp(await anHttpServer(service()));
    const item = await agent.claim('Payer Plan 2');
    await isKept(agent, item);
    await agent.transport.terminateSession();
    return [item, await claimedAfter(item)] as const;
  };
  const overStream = async () => {
    await aPost(service(), 'Payer Plan 3');
    const agent = await overHttp(await anHttpServer(service()));
    const item = await agent.claim('Payer Plan 3');
    await isKept(agent, item);
    await agent.client.close(); // without a DELETE, as one that is killed
    return [item, await claimedAfter(item)] as const;
  };
  for (const [{ request }, next] of await Promise.all([overProcess(), overSession(), overStream()])) {
    expect(next).toEqual({ requestId: request.request_id, attempt: 2, before: 'lease_expired' });
    await withdraw(request.request_id);
  }
});

/** Claims that the service is done with, whoever still waits for them. */
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
test('a claim that is given up, or whose agent is gone, leases nothing', patience, async () => {
  const givenUp = async (agent: Agent, payer: string, giveUp: (claim: AbortController) => unknown) => {
    const claim = new AbortController();
    const params = { name: 'claim_next', arguments: { payers: [payer], wait_seconds: 20 } };
    const answer = agent.client.callTool(params, { signal: claim.signal });
    const ended = answer.then(
      () => 'answered',
      () => 'given up',
    );
    await agent.call('work_stats'); // the claim, which was sent before, waits at the service
    await giveUp(claim);
    expect(await ended).toBe('given up');
    return payer;
  };
  const overProcess = await overStdio(service());
  const overServer = await overHttp(await anHttpServer(service()));
  const before = await endedClaimCount();
  const payers = await Promise.all([
    givenUp(overProcess, 'Payer Plan 1', (claim) => claim.abort()),
    givenUp(overServer, 'Payer Plan 2', () => overServer.client.close()),
  ]);
  // An agent has given up before the service knows it, and a request that comes between would be leased and given back.
  await expect.poll(endedClaimCount, { timeout: 15_000 }).toBe(before + payers.length);
  for (const payer of payers) {
    const request_id = await aPost(service(), payer);
    const claim = { channels: ['agent_web_portal' as const], payers: [payer], wait_seconds: 20 };
    const { items } = await service().client.work.claim(claim);
    expect(items).toMatchObject([{ request: { request_id }, attempt: 1 }]);
    await withdraw(request_id);
  }
});

test('a loss is reported once, in words, by whatever tool is called next', patience, async () => {
  const requestId = await aPost(service(), 'Payer Plan 3');
  const agent = await overStdio(service());
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
test('another session of the key goes on with what one held, and no other key does', patience, async () => {
  const requestId = await aPost(service(), 'Payer Plan 4');
  const url = await anHttpServer(service());
  const first = await overHttp(url);
  await first.claim('Payer Plan 4');
  const named = { request_id: requestId };
  const stranger = await overHttp(url, { 'x-key': await aVerifierKey() });
  expect(await stranger.refusal('get_request', named)).toContain('requests.get');
  expect(await stranger.refusal('release', named)).toContain(`You hold no lease on ${requestId}`);
  const second = await overHttp(url);
  await first.transport.terminateSession();
  const submission = { ...named, insurance_data: [aFinding] };
  expect(await second.call('submit_result', submission)).toMatchObject({ status: 'applied' });
});

async function aVerifierKey(): Promise<string> {
  const { client } = service();
  const { items } = await client.accounts.list();
  const [account] = items;
  const created = await client.keys.create({ account_id: account?.account_id ?? '', scopes: ['verify'] });
  return created.key;
}

// A killed client or a closed laptop must not hold a request indefinitely.
test(
  'a silent client’s leases are left to end, and it hears of that when it comes back',
  patience,
  async () => {
    const requestId = await aPost(service(), 'Payer Plan 3');
    const books = new LeaseBooks(service().url);
    const book = books.enter(API_KEY);
    const presence = new Presence();
    await book.claim(presence, async () => {
      const claim = { channels: ['agent_web_portal' as const], payers: ['Payer Plan 3'], wait_seconds: 20 };
      return (await service().client.work.claim(claim)).items[0];
    });
    const end = () => Date.parse(book.find(requestId)?.expiresAt ?? '');
    const first = end();
    await books.renewDue(Date.now() + 9 * 60_000);
    const renewed = end();
    expect(renewed).toBeGreaterThan(first);
    await books.renewDue(Date.now() + 11 * 60_000);
    expect(book.find(requestId)).toBeUndefined();
    await expect.poll(() => book.takeLosses(presence), { timeout: 30_000 }).toHaveLength(1);
    expect(() => book.take(requestId, presence)).toThrow(`You no longer hold ${requestId}`);
  },
);
