import type { Account, AccountRetention } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService();

// Breaks if an operator cannot count before, ask for, or take back how long data is kept.
test('retention shows it, counts what days would erase, asks for a shorter one and takes it back', async () => {
  const env = naming(service());
  const { account_id } = await ivJson<Account>(['accounts', 'create', '--name', 'Main Street Dental'], env);
  const retention = (...options: string[]) => iv(['accounts', 'retention', account_id, ...options], env);
  expect((await retention()).stdout).toMatch(/^retention +kept$/m);
  const counted = await retention('--days', '90', '--dry-run');
  expect(counted.stdout).toMatch(/^retention +kept$/m);
  expect(counted.stdout).toMatch(/^to erase +0 finished requests after 90 days$/m);
  const set = await retention('--days', '90');
  expect(set.stdout).toMatch(/^retention +kept$/m);
  expect(set.stdout).toMatch(/^asked +90 days, \d{4}-\S+ by key_/m);
  expect(set.stdout).toMatch(/^to confirm until +\d{4}-/m);
  expect((await iv(['accounts', 'list'], env)).stdout).toContain(' kept, 90 to confirm ');
  const kept = await ivJson<AccountRetention>(['accounts', 'retention', account_id, '--keep'], env);
  expect(kept).toMatchObject({ retention_days: null, erases_from: null, asked: null });
});

test.each([
  [['--days', 'many'], 'Expected a number of days'],
  [['--days', '2'], 'retention_days'],
  [['--days', '90', '--keep'], '--keep'],
  [['--dry-run'], '--days 90 --dry-run'],
])('%j is wrong usage', async (options, said) => {
  const env = naming(service());
  const { account_id } = await ivJson<Account>(['accounts', 'create', '--name', 'Main Street Dental'], env);
  const answer = await iv(['accounts', 'retention', account_id, ...options], env);
  expect(answer).toMatchObject({ exitCode: 2, stdout: '' });
  expect(answer.stderr).toContain(said);
});

test('an account that does not exist is named', async () => {
  const answer = await iv(['accounts', 'retention', 'acct_x'], naming(service()));
  expect(answer).toMatchObject({ exitCode: 1, stdout: '' });
  expect(answer.stderr).toContain('account acct_x');
});
