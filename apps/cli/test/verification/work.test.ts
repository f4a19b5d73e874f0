import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { WorkStats } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { aStoredRequest } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { iv, ivJson, ivProcess, naming } from '../iv.ts';
import { inherited, runSource } from '../run-source.ts';

const service = useService({ WORK_LEASE_SECONDS: '5' });
const DOWN = '\u001B[B';
const ENTER = '\r';
const CTRL_C = '\u0003';

/**
 * Types each answer once its question appears. Only text since the previous answer counts: a question may appear again.
 */
async function typeAnswers(
  child: ChildProcess,
  answers: readonly (readonly [RegExp, string])[],
): Promise<string> {
  const left = [...answers];
  let said = '';
  let seen = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
    seen += chunk;
    const [next] = left;
    if (!next?.[0].test(seen)) return;
    left.shift();
    seen = '';
    child.stdin?.write(next[1]);
  });
  await once(child, 'close');
  if (left.length > 0) throw new Error(`Never asked ${String(left[0]?.[0])}:\n${said}`);
  return said;
}

const startNext = (args: readonly string[] = []) =>
  spawn(
    process.execPath,
    [...runSource(new URL('../../src/main.js', import.meta.url)), 'work', 'next', ...args],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...inherited(), ...naming(service()) },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );

const post = async () =>
  (await aStoredRequest(service(), { cpt_code_coverage: ['D0120', 'D1110'] })).request_id;

// A person without the code at hand must be able to verify a request from the terminal.
test(
  'a person verifies a request field by field, and what cannot be is asked again',
  { timeout: 90_000 },
  async () => {
    const requestId = await post();
    const child = startNext();
    const stdout = text(child.stdout);
    const said = await typeAnswers(child, [
      [/What came of it/, `1${ENTER}`],
      [/Eligibility/, `1${ENTER}`],
      [/Plan name/, `PPO Gold${ENTER}`],
      [/First day of coverage/, `31.12.2026${ENTER}`],
      [/Expected a day as/, `${'\b'.repeat(10)}2026-01-01${ENTER}`],
      [/Last day of coverage/, ENTER],
      [/Procedure codes/, ` ${ENTER}`],
      [/Patient as the payer has them/, `1${ENTER}`],
      [/What else the payer said/, `Deductible met.${ENTER}`],
      [/Reference number/, `CALL-1${ENTER}`],
      [/Note for colleagues/, ENTER],
      [/Is that right/, `1${ENTER}`],
    ]);
    expect(child.exitCode, said).toBe(0);
    expect(await stdout).toBe('The result was accepted and is on its way to the provider.\n');
    expect(said).toContain(requestId);
    const result = await service().client.requests.result({ request_id: requestId });
    expect(result).toMatchObject({
      request: { state: 'complete' },
      insurance_data: [
        {
          verification_source: 'manual_web_portal',
          notes: 'Deductible met.',
          plan_info: {
            plan_name: 'PPO Gold',
            eligibility_status: 'Active',
            start_date: '2026-01-01',
            end_date: null,
            cpt_code_coverage: ['D0120'],
          },
        },
      ],
    });
    const { items } = await service().client.requests.attempts({ request_id: requestId });
    expect(items).toMatchObject([{ outcome: 'succeeded', reference: 'CALL-1' }]);
  },
);

test(
  'a person says why it cannot be found out, and the request waits for the next channel',
  { timeout: 90_000 },
  async () => {
    const requestId = await post();
    const child = startNext(['--channel', 'manual_web_portal']);
    await typeAnswers(child, [
      [/What came of it/, `2${ENTER}`],
      [/Why\?/, `${DOWN}${ENTER}`],
      [/Reference number/, ENTER],
      [/Note for the next/, `Not in the portal.${ENTER}`],
      [/Can another channel find out/, `1${ENTER}`],
      [/Is that right/, `1${ENTER}`],
    ]);
    expect(child.exitCode).toBe(0);
    const { items } = await service().client.requests.attempts({ request_id: requestId });
    expect(items).toMatchObject([{ error_reason: 'member_not_found', note: 'Not in the portal.' }]);
    await service().client.requests.close({ request_id: requestId, reason: 'withdrawn' });
  },
);

// Without it a call longer than a lease would be wasted: another verifier would have the request.
test(
  'the lease is renewed while the person types, and Ctrl-C gives the request back',
  { timeout: 90_000 },
  async () => {
    const requestId = await post();
    const child = startNext();
    const ended = typeAnswers(child, []);
    const attempts = () => service().client.requests.attempts({ request_id: requestId });
    await expect.poll(async () => (await attempts()).items.length, { timeout: 20_000 }).toBe(1);
    const startedAt = Date.parse((await attempts()).items[0]?.started_at ?? '');
    await expect.poll(() => Date.now() - startedAt, { timeout: 20_000 }).toBeGreaterThan(7_000);
    expect((await attempts()).items).toMatchObject([{ outcome: 'working' }]);
    child.stdin.write(CTRL_C);
    expect(await ended).toContain('Stopped. The request is in the queue again.');
    expect(child.exitCode).toBe(1);
    expect((await attempts()).items).toMatchObject([{ outcome: 'released', note: 'The verifier stopped.' }]);
    await service().client.requests.close({ request_id: requestId, reason: 'withdrawn' });
  },
);

// Under cron or behind an empty pipe it would renew its lease indefinitely, and nobody could take the request.
test('where nothing can be typed the request is given back', { timeout: 60_000 }, async () => {
  const requestId = await post();
  const ended = await ivProcess(['work', 'next'], naming(service()));
  expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
  expect(ended.stderr).toContain('Stopped. The request is in the queue again.');
  const { items } = await service().client.requests.attempts({ request_id: requestId });
  expect(items).toMatchObject([{ outcome: 'released', note: 'The verifier stopped.' }]);
  await service().client.requests.close({ request_id: requestId, reason: 'withdrawn' });
});

test('a request that is not there, or waits for nobody, is told', async () => {
  const unknown = await iv(['work', 'next', '--request', 'req_none'], naming(service()));
  expect(unknown).toMatchObject({ exitCode: 1, stdout: '' });
  expect(unknown.stderr).toContain('there is no request req_none');
  const requestId = await post();
  await service().client.requests.close({ request_id: requestId, reason: 'withdrawn' });
  const finished = await iv(['work', 'next', '--request', requestId], naming(service()));
  expect(finished).toMatchObject({ exitCode: 1, stdout: '' });
  expect(finished.stderr).toContain('The request already has an outcome; nothing was changed. (409)');
});

test('with nothing to do it says so', async () => {
  expect(await iv(['work', 'next', '--channel', 'manual_phone_call'], naming(service()))).toMatchObject({
    exitCode: 0,
    stdout: 'Nothing to do in these channels.\n',
  });
});

// Twenty rows of zeros hide the one that matters.
test('the stats are a line for every channel in which something waits or was done', async () => {
  const { items } = await ivJson<WorkStats>(['work', 'stats'], naming(service()));
  expect(items).toHaveLength(20);
  const { stdout, stderr } = await iv(['work', 'stats'], naming(service()));
  expect(stdout).toMatch(/^PAYER +CHANNEL +WAITING.*\nPayer Plan 1 +manual_web_portal +\d+ .*\n/);
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
