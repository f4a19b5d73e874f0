import type { Account, AccountList } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService();

// Breaks if an operator cannot add a provider.
test('create makes an account, list shows it', async () => {
  const env = naming(service());
  const created = await iv(['accounts', 'create', '--name', 'Main Street Dental', '--mode', 'test'], env);
  expect(created).toMatchObject({ exitCode: 0, stderr: '' });
  expect(created.stdout).toMatch(
    /^account_id {2}acct_\w+\nname {8}Main Street Dental\nkind {8}provider\nmode {8}test\ncreated {5}\S+Z\nsuspended {3}-\nretention {3}30 days\n$/,
  );
  const listed = await iv(['accounts', 'list'], env);
  expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(listed.stdout).toMatch(
    /^ACCOUNT_ID +NAME +KIND +MODE +RETENTION +SUSPENDED +CREATED\nacct_\w+ +Main Street Dental +provider +test +30 days +- +\S+\n/,
  );
});

// Breaks if an account's name can control the operator's terminal.
test('a name with control characters is shown, not obeyed', async () => {
  const env = naming(service());
  const name = 'red \u001B[31m\u009Bnew\nline';
  const created = await iv(['accounts', 'create', '--name', name, '--json'], env);
  expect((JSON.parse(created.stdout) as Account).name).toBe(name);
  expect(created.stdout).not.toContain('\u001B');
  expect(created.stdout).not.toContain('\u009B');
  const listed = await iv(['accounts', 'list'], env);
  expect(listed.stdout).toContain(String.raw`red \u001b[31m\u009bnew\u000aline`);
});

// Breaks if a list longer than a page cannot be read to its end.
test('list pages by --limit and --cursor, and reads all pages with --all', async () => {
  const env = naming(service());
  for (const name of ['a', 'b', 'c']) await service().client.accounts.create({ name });
  const whole = await ivJson<AccountList>(['accounts', 'list', '--all'], env);
  expect(whole.next_cursor).toBeNull();

  const first = await iv(['accounts', 'list', '--limit', '2'], env);
  expect(first.stdout.trim().split('\n')).toHaveLength(3);
  const cursor =
    /^There is more: iv accounts list --limit 2 --cursor (\S+) \(or --all\)\n$/.exec(first.stderr)?.[1] ?? '';
  const rest = await ivJson<AccountList>(['accounts', 'list', '--cursor', cursor], env);
  expect(rest.items).toEqual(whole.items.slice(2));
});

// Breaks if the fault of an input is not reported.
test('an empty name ends with 2', async () => {
  const refused = await iv(['accounts', 'create', '--name', ''], naming(service()));
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toMatch(
    /^The input of accounts.create is not valid \(422\):\n {2}body\.name: .+\nRight, for example: /,
  );
});

// Breaks if an operator cannot stop a misbehaving client, or the client is not told why its key is refused.
test('suspend refuses its keys and says so, resume lets them work again', async () => {
  const env = naming(service());
  const { client } = service();
  const { account_id } = await client.accounts.create({ name: 'went wrong' });
  const { key } = await client.keys.create({ account_id, scopes: ['requests'] });
  const suspended = await iv(['accounts', 'suspend', account_id], env);
  expect(suspended).toMatchObject({ exitCode: 0, stderr: '' });
  expect(suspended.stdout).toMatch(/^suspended {3}\S+Z$/m);
  const refused = await iv(['requests', 'list'], { ...env, IV_API_KEY: key });
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toContain(
    'refused requests.list (403): the API key from IV_API_KEY is of a suspended account.\n' +
      'An administrator lets it work again: iv accounts resume acct_…',
  );
  const resumed = await ivJson<Account>(['accounts', 'resume', account_id], env);
  expect(resumed).toMatchObject({ account_id, suspended_at: null });
  expect(await iv(['requests', 'list'], { ...env, IV_API_KEY: key })).toMatchObject({ exitCode: 0 });
  const missing = await iv(['accounts', 'suspend', 'acct_none'], env);
  expect(missing.stderr).toContain('there is no account acct_none');
});
