import type { AuditList } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { aStoredRequest } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { iv, ivJson, naming } from '../iv.ts';

const service = useService();

// Breaks if nobody can tell afterwards who saw a patient's data.
test('audit shows who did what about a request, newest first', async () => {
  const env = naming(service());
  const { client } = service();
  const { request_id: id } = await aStoredRequest(service());
  await client.requests.get({ request_id: id });
  const shown = await iv(['audit', '--request', id], env);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  const [head, ...lines] = shown.stdout.trim().split('\n');
  expect(head).toMatch(/^AT +OPERATION +REQUEST_ID +SUBJECT_ID +KEY_ID +ACCOUNT_ID$/);
  expect(lines.map((line) => line.split(/ +/).slice(1, 3))).toEqual([
    ['requests.get', id],
    ['requests.create', id],
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
  const by = ['--key', newest?.key_id ?? '', '--account', newest?.account_id ?? ''];
  const until = ['--since', newest?.at ?? '', '--until', '2099-01-01T00:00:00Z'];
  const narrowed = await ivJson<AuditList>(['audit', '--operation', 'accounts.create', ...by, ...until], env);
  expect(narrowed.items).toEqual([newest]);
  const made = newest?.subject_id ?? expect.fail('The account is not named.');
  expect((await ivJson<AuditList>(['audit', '--subject', made], env)).items).toEqual([newest]);
  const none = await iv(['audit', '--key', 'key_none'], env);
  expect(none).toEqual({ exitCode: 0, stdout: '', stderr: 'Nothing on record.\n' });
});
