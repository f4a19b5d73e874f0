import type { AuditList } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { useMcpService } from './an-mcp-service.ts';

const service = useMcpService();

interface LogLine {
  readonly trace: string;
  readonly operation?: string;
  readonly status?: number;
  readonly key_id?: string;
  readonly problem?: string;
}

const linesOf = (operation: string) =>
  service()
    .logLines.map((line) => JSON.parse(line) as LogLine)
    .filter((line) => line.operation === operation);

// Breaks if what agents do is counted, limited or written down in another way than what other callers do.
test('a tool’s operation has its own line in the log, with the trace of the message, and its own metric', async () => {
  const agent = await service().agent();
  const request_id = await service().post();
  await agent.claim('Payer Plan 1');
  await agent.refusal('get_request', { request_id: 'req_x' });
  await agent.call('release', { request_id });
  await expect.poll(() => linesOf('work.release')).toMatchObject([{ status: 200 }]);
  const [claim] = linesOf('work.claim');
  const [read] = linesOf('requests.get');
  expect(claim).toMatchObject({ status: 200, key_id: expect.stringMatching(/^key_/) });
  expect(read).toMatchObject({ status: 404, problem: 'not_found' });
  await expect.poll(() => linesOf('mcp').map(({ trace }) => trace)).toContain(claim?.trace);
  const metrics = await (await fetch(`${service().url}/metrics`)).text();
  expect(metrics).toMatch(/^ivs_http_seconds_count\{operation="requests\.get",status="404"\} 1$/m);
  const { items } = await service().answer<AuditList>('GET', `/audit?request_id=${request_id}`);
  expect(items.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['work.claim', 'work.release']),
  );
});

test('an account’s limit of reads holds for its agents’ tools', async () => {
  const { account_id } = await anAccount(service(), { kind: 'platform' });
  const policies = { reads: { quota: 1, window_seconds: 3600 } };
  await service().client.accounts.setLimits({ account_id, policies });
  const { key } = await service().aKey({ account_id });
  const agent = await service().agent({ 'x-key': key });
  await agent.call('work_stats');
  expect(await agent.refusal('work_stats')).toContain('rate_limited');
});

test('a key is refused from a network that it is not allowed in', async () => {
  const { key } = await service().aKey({ allowed_cidrs: ['10.0.0.0/8'] });
  await expect(service().agent({ 'x-key': key })).rejects.toThrow('address_not_allowed');
});
