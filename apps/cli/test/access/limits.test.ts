import type { Account, AccountLimits, CreatedApiKey } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService();

// Breaks if an operator cannot see, raise or reset an account's limits.
test('limits shows the defaults, sets quotas and networks, and takes them back', async () => {
  const env = naming(service());
  const { account_id } = await ivJson<Account>(['accounts', 'create', '--name', 'Main Street Dental'], env);
  const limits = (...options: string[]) => iv(['accounts', 'limits', account_id, ...options], env);
  expect((await limits()).stdout).toBe(
    `account_id    ${account_id}\nallowed from  anywhere\n\n` +
      'POLICY               QUOTA  SECONDS  SET\n' +
      'intake               60000  60       default\n' +
      'reads                60000  60       default\n' +
      'redeliver-exhausted  6      60       default\n' +
      'secret-reveal        10     3600     default\n',
  );
  const set = await limits(
    '--set',
    'intake=360000/60',
    'reads=600/3600',
    '--allow-from',
    '10.0.0.0/8',
    '2001:db8::/32',
  );
  expect(set.stdout).toMatch(/^allowed from {2}10\.0\.0\.0\/8 2001:db8::\/32$/m);
  expect(set.stdout).toMatch(/^intake +360000 +60 +for this account$/m);
  expect(set.stdout).toMatch(/^reads +600 +3600 +for this account$/m);
  const back = await ivJson<AccountLimits>(
    ['accounts', 'limits', account_id, '--default', 'reads', '--allow-anywhere'],
    env,
  );
  expect(back).toMatchObject({
    policies: { intake: { quota: 360_000, overridden: true }, reads: { quota: 60_000, overridden: false } },
    allowed_cidrs: null,
  });
});

// Breaks if a mistyped quota is sent as something else.
test.each(['intake', 'intake=60', 'intakes=1/60', 'intake=a/60', '=1/1'])(
  '--set %s is wrong usage',
  async (quota) => {
    const answer = await iv(['accounts', 'limits', 'acct_1', '--set', quota], naming(service()));
    expect(answer).toMatchObject({ exitCode: 2, stdout: '' });
    expect(answer.stderr).toContain('Expected a policy (intake, reads, redeliver-exhausted, secret-reveal)');
  },
);

// Breaks if a caller refused for their address looks for a missing scope.
test('the refusal of a key used from elsewhere names the address', async () => {
  const env = naming(service());
  const { account_id } = await ivJson<Account>(['accounts', 'create', '--name', 'Elsewhere'], env);
  const created = await ivJson<CreatedApiKey>(
    ['keys', 'create', '--account', account_id, '--allow-from', '203.0.113.0/24'],
    env,
  );
  expect(created.allowed_cidrs).toEqual(['203.0.113.0/24']);
  const refused = await iv(['requests', 'list'], { ...env, IV_API_KEY: created.key });
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toContain('does not work from the address of this machine');
});

// Breaks if an operator is not told which budget is exhausted.
test('a call beyond a quota gets the policy and the time', async () => {
  const env = naming(service());
  const { account_id } = await ivJson<Account>(['accounts', 'create', '--name', 'Few'], env);
  await iv(['accounts', 'limits', account_id, '--set', 'reads=1/86400'], env);
  const { key } = await ivJson<CreatedApiKey>(['keys', 'create', '--account', account_id], env);
  const asking = { ...env, IV_API_KEY: key };
  expect(await iv(['requests', 'list'], asking)).toMatchObject({ exitCode: 0 });
  const refused = await iv(['requests', 'list'], asking);
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toMatch(/takes no more of requests\.list now \(429, reads\)\. Try again in \d+ s\./);
});
