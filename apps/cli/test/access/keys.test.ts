import type {
  ApiKeyList,
  CreatedApiKey,
  CreatedEndpoint,
  RevokedApiKey,
} from '@insurance-verification/schema';
import { DEFAULT_ACCOUNT_ID } from '@insurance-verification/store';
import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService();

// Breaks if an operator cannot give a provider a key.
test('create shows a key that works, and shows it nowhere again', async () => {
  const env = naming(service());
  const created = await iv(['keys', 'create', '--account', DEFAULT_ACCOUNT_ID, '--name', 'billing'], env);
  expect(created).toMatchObject({
    exitCode: 0,
    stderr: 'The key is shown this once; only a hash of it is kept.\n',
  });
  const key = /^key +(ivk_live_\S+)$/m.exec(created.stdout)?.[1] ?? '';
  expect(created.stdout).toMatch(/^scopes +requests$/m);

  const used = await iv(['requests', 'list'], { ...env, IV_API_KEY: key });
  expect(used).toEqual({ exitCode: 0, stdout: '', stderr: 'No requests.\n' });

  const listed = await iv(['keys', 'list'], env);
  expect(listed.stdout).toMatch(/^KEY_ID +STATUS +NAME +SCOPES +LAST_USED +ACCOUNT_ID +PREFIX$/m);
  expect(listed.stdout).toMatch(/ live +billing +requests /m);
  expect(listed.stdout + listed.stderr).not.toContain(key);
});

// Breaks if a script cannot create and revoke keys.
test('create, list and revoke answer one JSON document', async () => {
  const env = naming(service());
  const args = ['keys', 'create', '--account', DEFAULT_ACCOUNT_ID, '--scope', 'verify', 'operate'];
  const created = await ivJson<CreatedApiKey>([...args, '--expires', '2099-01-01T00:00:00Z'], env);
  expect(created).toMatchObject({ scopes: ['verify', 'operate'], expires_at: '2099-01-01T00:00:00.000Z' });

  const { key_id } = created;
  const { endpoints, ...revoked } = await ivJson<RevokedApiKey>(['keys', 'revoke', key_id], env);
  expect(revoked).toMatchObject({ key_id, revoked_at: expect.any(String) });
  expect(endpoints).toEqual([]);
  const { items } = await ivJson<ApiKeyList>(['keys', 'list'], env);
  expect(items.find((key) => key.key_id === key_id)).toEqual(revoked);

  const again = await iv(['keys', 'revoke', key_id], env);
  expect(again).toMatchObject({ exitCode: 0, stderr: '' });
  expect(again.stdout).toMatch(/^revoked +2\S+Z$/m);
  const refused = await iv(['keys', 'list'], { ...env, IV_API_KEY: created.key });
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
});

// Without it the person who ends a key would not see which endpoints stop, or could not hand them over.
test('revoking a key names its endpoints, which a successor or a colleague takes over', async () => {
  const env = naming(service());
  const aKey = async () =>
    ivJson<CreatedApiKey>(['keys', 'create', '--account', DEFAULT_ACCOUNT_ID, '--scope', 'requests'], env);
  const [first, second, third] = [await aKey(), await aKey(), await aKey()];
  const created = ['endpoints', 'create', 'http://127.0.0.1:9/events', '--type', 'request.answered'];
  const { endpoint_id } = await ivJson<CreatedEndpoint>(created, { ...env, IV_API_KEY: first.key });
  const handed = await iv(['keys', 'revoke', first.key_id, '--successor', second.key_id], env);
  expect(handed.stdout).toContain(`${endpoint_id} (of ${second.key_id})`);
  const paused = await iv(['keys', 'revoke', second.key_id], env);
  expect(paused.stdout).toContain(`${endpoint_id} (disabled: maker_ended)`);
  expect(paused.stderr).toBe(
    'Paused until somebody of the account takes them over: iv endpoints update <endpoint_id> --enable\n',
  );
  const taken = await iv(['endpoints', 'update', endpoint_id, '--enable'], { ...env, IV_API_KEY: third.key });
  expect(taken.stdout).toMatch(new RegExp(`^made by +${third.key_id}$`, 'm'));
  const recovered = await iv(['endpoints', 'recover', endpoint_id], { ...env, IV_API_KEY: third.key });
  expect(recovered.stdout).toMatch(/^posted +0$/m);
  await iv(['endpoints', 'end', endpoint_id], env);
});

// Breaks if a mistyped id looks like a success.
test('an id that nothing has is reported', async () => {
  const env = naming(service());
  const revoked = await iv(['keys', 'revoke', 'key_none'], env);
  expect(revoked).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'Not found (404): there is no key key_none, or this API key may not see it. What there is: iv keys list\n',
  });
  const created = await iv(['keys', 'create', '--account', 'acct_none'], env);
  expect(created).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('body.account_id: There is no account with this id (account_not_found)'),
  });
});

// Breaks if a refusal by the service is reported as a failure of the service.
test('a scope the account may not have ends with 2, with what the service says about it', async () => {
  const env = naming(service());
  const { account_id } = await service().client.accounts.create({ name: 'a clinic' });
  const refused = await iv(['keys', 'create', '--account', account_id, '--scope', 'operate', '--json'], env);
  expect(refused).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'The input of keys.create is not valid (422):\n' +
      '  body.scopes: Keys of provider accounts may have the scopes requests and secrets only (value_error)\n' +
      'Right, for example: iv keys create --account acct_… --scope requests --name billing\n',
  });
});

// Breaks if a provider's key can create others, or its owner is not told which scope is missing.
test('a key without the scope ends with 1 and says so', async () => {
  const env = naming(service());
  const { key } = await ivJson<CreatedApiKey>(['keys', 'create', '--account', DEFAULT_ACCOUNT_ID], env);
  const refused = await iv(['keys', 'list'], { ...env, IV_API_KEY: key });
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toContain(
    'refused keys.list (403): the API key from IV_API_KEY lacks the scope it needs: admin.',
  );
  expect(refused.stderr).not.toContain(key);
  // Breaks if the advised key is refused as well.
  expect(refused.stderr).toContain('iv keys create --account acct_… --scope admin');
  const next = await iv(['work', 'stats'], { ...env, IV_API_KEY: key });
  expect(next.stderr).toContain('iv keys create --account acct_… --scope verify');
});

// Breaks if keys live indefinitely by default.
test('a key ends in a year, with --never-expires when it is revoked', async () => {
  const env = naming(service());
  const args = ['keys', 'create', '--account', DEFAULT_ACCOUNT_ID];
  const made = await ivJson<CreatedApiKey>(args, env);
  const days = (Date.parse(made.expires_at ?? '') - Date.parse(made.created_at)) / 86_400_000;
  expect([365, 366]).toContain(Math.round(days));
  expect(
    await ivJson(['keys', 'create', '--account', DEFAULT_ACCOUNT_ID, '--never-expires'], env),
  ).toMatchObject({
    expires_at: null,
  });
  const both = await iv([...args, '--never-expires', '--expires', '2099-01-01T00:00:00Z'], env);
  expect(both).toMatchObject({ exitCode: 2, stdout: '' });
});
