import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFinding, type HeldItem } from '@insurance-verification/testing/an-agent';
import { freePort } from '@insurance-verification/testing/free-port';
import { startServiceProcess } from '@insurance-verification/testing/start-service-process';
import { expect, onTestFinished, test } from 'vitest';
import { aPost, overStdio, useService } from './a-service.ts';

const service = useService();

const claimByRest = (payer: string) =>
  service().client.work.claim({ channels: ['agent_web_portal'], payers: [payer], wait_seconds: 25 });

test.each([
  ['of sessions', 'Payer Plan 1', {}],
  ['2026-07-28', 'Payer Plan 2', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
] as const)('an agent of the protocol %s plays a verification', async (_, payer, options) => {
  const request_id = await aPost(service(), payer);
  const agent = await overStdio(service(), options);
  const { request } = await agent.claim(payer);
  expect(request).toMatchObject({ request_id });
  expect(await agent.refusal('release', { request_id, lease_token: 'x' })).toContain('Unknown: lease_token');
  expect(await agent.call('submit_result', { request_id, insurance_data: [aFinding] })).toEqual({
    status: 'applied',
    version: 1,
  });
});

// Breaks if the work of an agent whose program crashed is lost with it.
test('what was leased through a proxy that is killed, the next one continues with', async () => {
  const request_id = await aPost(service(), 'Payer Plan 3');
  const first = await overStdio(service());
  const item = await first.claim('Payer Plan 3');
  process.kill(first.pid, 'SIGKILL');
  const second = await overStdio(service());
  const again = await second.call<HeldItem>('get_request', { request_id });
  expect(again.from_the_request).toEqual(item.from_the_request);
  await second.call('heartbeat', { request_id });
  expect(await second.call('submit_result', { request_id, insurance_data: [aFinding] })).toMatchObject({
    status: 'applied',
  });
});

// An agent on the phone calls no tool for half an hour; one that is gone must not keep its requests.
test('a lease is renewed until the agent closes stdin', async () => {
  const request_id = await aPost(service(), 'Payer Plan 4');
  const agent = await overStdio(service());
  const { lease_expires_at } = await agent.claim('Payer Plan 4');
  const end = async () =>
    Date.parse((await agent.call<HeldItem>('get_request', { request_id })).lease_expires_at);
  await expect.poll(end, { timeout: 30_000 }).toBeGreaterThan(Date.parse(lease_expires_at));
  await agent.client.close();
  const { items } = await claimByRest('Payer Plan 4');
  expect(items).toMatchObject([{ attempt: 2, history: [{ outcome: 'lease_expired' }] }]);
  await service().client.requests.close({ request_id, reason: 'withdrawn' });
});

/** Claims that the service has ended, answered or not. */
async function endedClaimCount(): Promise<number> {
  const metrics = await (await fetch(`${service().url}/metrics`)).text();
  const lines = metrics.matchAll(/^ivs_http_seconds_count\{.*operation="work\.claim".*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

// Broke: a request was leased to a call that its agent had given up, and renewed while that agent was connected.
test('a claim that the agent gives up leases nothing', async () => {
  const agent = await overStdio(service());
  const claim = new AbortController();
  const params = { name: 'claim_next', arguments: { payers: ['Payer Plan 1'], wait_seconds: 20 } };
  const before = await endedClaimCount();
  const answer = agent.client.callTool(params, { signal: claim.signal });
  await agent.call('work_stats'); // the claim, which was sent before, waits at the service
  claim.abort();
  await expect(answer).rejects.toThrow();
  await expect.poll(endedClaimCount).toBe(before + 1);
  const request_id = await aPost(service(), 'Payer Plan 1');
  const { items } = await claimByRest('Payer Plan 1');
  expect(items).toMatchObject([{ request: { request_id }, attempt: 1 }]);
  await service().client.requests.close({ request_id, reason: 'withdrawn' });
});

// Breaks if agents' programs must be restarted with the service.
test('an agent continues when the service is back', async () => {
  const { connectionString: databaseUrl } = await createTestDatabase();
  const port = await freePort();
  const start = async () => {
    const started = await startServiceProcess({ databaseUrl, port });
    onTestFinished(async () => void (await started.stop()));
    return started;
  };
  const first = await start();
  const agent = await overStdio(first);
  await agent.call('work_stats');
  await first.stop();
  await expect(agent.call('work_stats')).rejects.toThrow(`${first.url} cannot be reached.`);
  await expect(agent.call('work_stats')).rejects.toThrow('cannot be reached');
  await start();
  expect(await agent.call('work_stats')).toMatchObject({ items: [] });
});
