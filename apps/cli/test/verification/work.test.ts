import type { WorkStats } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { aStoredRequest } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService({ WORK_LEASE_SECONDS: '5' });
const post = async () =>
  (await aStoredRequest(service(), { cpt_code_coverage: ['D0120', 'D1110'] })).request_id;

test('the stats are a line for every channel in which something waits or was done', async () => {
  await post();
  const { items } = await ivJson<WorkStats>(['work', 'stats'], naming(service()));
  expect(items).toHaveLength(20);
  const { stdout, stderr } = await iv(['work', 'stats'], naming(service()));
  expect(stdout).toMatch(/^PAYER +CHANNEL +WAITING.*\nPayer Plan 1 +\w+ +\d+ .*\n/);
  expect(stdout.split('\n').length).toBeLessThan(5);
  expect(stderr).toBe('In the other channels nothing waits, and nothing was done in the last 24 hours.\n');
});

// Without it a demo would need real verifiers, and a load test real payers.
test('simulated verifiers finish every request', { timeout: 120_000 }, async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => post()));
  const mix = 'active=60,inactive=10,fail=20,release=10';
  const args = ['simulate', '--verifiers', '5', '--mix', mix, '--seed', '7', '--speed', '100000'];
  const counts = await ivJson<Record<string, number>>(args, naming(service()));
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(20);
  for (const id of ids)
    expect((await service().client.requests.get({ request_id: id })).state).not.toBe('pending');
});

test('a service elsewhere is not given made-up results by mistake', async () => {
  const refused = await iv(['simulate'], { IV_URL: 'https://verify.example', IV_API_KEY: service().apiKey });
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain('add --remote');
});
