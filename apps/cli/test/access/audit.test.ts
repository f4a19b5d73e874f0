import { createRestClient } from '@insurance-verification/client';
import type { AuditList } from '@insurance-verification/schema';
import { createSealKey } from '@insurance-verification/store';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aStoredRequest } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService({ AUDIT_SEAL_KEY: createSealKey() });

// Breaks if it cannot be shown afterwards who saw a patient's data.
test('audit shows who did what about a request, newest first', async () => {
  const env = naming(service());
  const { client } = service();
  const { request_id: id } = await aStoredRequest(service());
  await client.requests.get({ request_id: id });
  const shown = await iv(['audit', '--request', id], env);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  const [head, ...lines] = shown.stdout.trim().split('\n');
  expect(head).toMatch(
    /^AT +OPERATION +OUTCOME +REQUEST_ID +REQUESTS +REQUEST_ACCOUNT_ID +SUBJECT_ID +KEY_ID +NAME +LINK BY +ADDRESS +ACCOUNT_ID$/,
  );
  expect(lines.map((line) => line.split(/ +/).slice(1, 4))).toEqual([
    ['requests.get', 'done', id],
    ['requests.create', 'done', id],
  ]);
});

// Breaks if a filter is not passed on, or a list longer than a page cannot be read to its end.
test('each filter and each page is passed on', async () => {
  const env = naming(service());
  const { client } = service();
  for (const name of ['a', 'b', 'c']) await client.accounts.create({ name });
  const created = await ivJson<AuditList>(['audit', '--operation', 'accounts.create', '--all'], env);
  expect(created.next_cursor).toBeNull();
  const { items } = created;
  const [newest] = items;
  const first = await iv(['audit', '--operation', 'accounts.create', '--limit', '2'], env);
  const cursor =
    /^There is more: iv audit --operation accounts.create --limit 2 --cursor (\d+) \(or --all\)\n$/.exec(
      first.stderr,
    )?.[1] ?? '';
  const rest = await ivJson<AuditList>(
    ['audit', '--operation', 'accounts.create', '--cursor', cursor, '--limit', '100'],
    env,
  );
  expect(rest.items).toEqual(items.slice(2));
  const by = ['--key', newest?.key_id ?? ''];
  const during = ['--since', newest?.at ?? '', '--until', '2099-01-01T00:00:00Z'];
  const narrowed = await ivJson<AuditList>(
    ['audit', '--operation', 'accounts.create', ...by, ...during],
    env,
  );
  expect(narrowed.items).toEqual([newest]);
  const made = newest?.subject_id ?? expect.fail('The account is not named.');
  expect((await ivJson<AuditList>(['audit', '--subject', made], env)).items).toEqual([newest]);
  const none = await iv(['audit', '--key', 'key_none'], env);
  expect(none).toEqual({ exitCode: 0, stdout: '', stderr: 'Nothing on record.\n' });
});

// Broke: the account was the caller's, so a clinic's filter showed none of the platform's people who read its requests.
test('the account of a filter is the request’s', async () => {
  const env = naming(service());
  const { client } = service();
  const { account_id: account } = await client.accounts.create({ name: 'a clinic' });
  const { key } = await client.keys.create({ account_id: account, scopes: ['requests'] });
  const theirs = { ...service(), client: createRestClient({ ...service(), apiKey: key }) };
  const { request_id: id } = await aStoredRequest(theirs);
  await client.requests.view({ request_id: id });
  const { items } = await ivJson<AuditList>(['audit', '--account', account], env);
  expect(items.map((line) => [line.operation, line.request_account_id])).toEqual([
    ['requests.view', account],
    ['requests.create', account],
  ]);
});

// Breaks if a script could not keep the audit in the form that its reader takes.
test.each([
  ['ndjson', /^\{"audit_id":"\d+"/],
  ['csv', /^audit_id,at,key_id,/],
])('audit export prints a whole file of %s', async (format, beginning) => {
  const env = naming(service());
  const { request_id: id } = await aStoredRequest(service());
  const file = await iv(['audit', 'export', '--format', format, '--request', id], env);
  expect(file).toEqual({ exitCode: 0, stdout: expect.stringMatching(beginning), stderr: '' });
  const lines = file.stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(format === 'csv' ? 2 : 1);
  expect(lines.at(-1)).toContain(id);
});

// The last test: the first seal comes within ten seconds of the start.
test('audit seals lists the seals, newest first', async () => {
  const { client } = service();
  await until('the audit is sealed', async () => (await client.audit.seals({})).items.length > 0);
  const { items } = await client.audit.seals({ limit: 1 });
  const shown = await iv(['audit', 'seals', '--all'], naming(service()));
  const [head, ...lines] = shown.stdout.trim().split('\n');
  expect(head).toMatch(/^SEAL +SEALED_AT +LINES +FIRST_ID +LAST_ID +MISDATED +ROOT$/);
  expect(lines.join('\n')).toContain(items[0]?.root);
  const none = await iv(['audit', 'seals', '--cursor', '1'], naming(service()));
  expect(none).toEqual({ exitCode: 0, stdout: '', stderr: 'No seals.\n' });
});
