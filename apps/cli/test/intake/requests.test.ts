import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { RequestList, RequestModel, RequestSummaryList } from '@insurance-verification/schema';
import { inherited } from '@insurance-verification/testing/inherited';
import { expect, test } from 'vitest';
import { aStoredRequest } from '../a-request.ts';
import { useService } from '../a-service.ts';
import { SOURCE_ARGS, iv, ivJson, naming } from '../iv.ts';

const service = useService();

// Breaks if a provider cannot see a request's state.
test('get shows a request, for people and as JSON', async () => {
  const env = naming(service());
  const request = await aStoredRequest(service());
  const shown = await iv(['requests', 'get', request.request_id], env);
  expect(shown).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: [
      `request_id     ${request.request_id}`,
      'state          pending',
      'error_reason   -',
      `received       ${request.received_timestamp}`,
      'payer          Payer Plan 1',
      'subscriber_id  W123456789',
      'dob            1984-05-17',
      'patient        Jane Doe',
      'npi            1234567893',
      'provider       Main Street Dental',
      'cpt_codes      D0120 D1110',
      'callback_url   http://127.0.0.1:9/verified',
      '',
    ].join('\n'),
  });
  expect(await ivJson(['requests', 'get', request.request_id], env)).toEqual(request);
});

// Breaks if a receiver's password can be read off a screen.
test("a callback address shows without its receiver's password", async () => {
  const { request_id } = await aStoredRequest(service(), {
    callback_url: 'https://user:hunter2@x.example/cb',
  });
  const shown = await iv(['requests', 'get', request_id], naming(service()));
  expect(shown.stdout).toMatch(/^callback_url +https:\/\/…@x\.example\/cb$/m);
});

// Breaks if a list shows patients or cannot be filtered.
test('list shows requests by state, without the patients', async () => {
  const env = naming(service());
  const { request_id } = await aStoredRequest(service());
  const listed = await iv(['requests', 'list', '--state', 'pending', '--limit', '1'], env);
  expect(listed.exitCode).toBe(0);
  expect(listed.stdout).toMatch(/^REQUEST_ID +STATE +WAITING +PAYER +ERROR_REASON +RECEIVED\nreq_/);
  expect(listed.stdout).toMatch(new RegExp(`${request_id}  pending  \\d+ s  `));
  expect(listed.stdout).not.toMatch(/Jane|W123456789/);
  expect(listed.stderr).toMatch(
    /^There is more: iv requests list --state pending --limit 1 --cursor \S+ \(or --all\)\n$/,
  );
  expect(await iv(['requests', 'list', '--state', 'complete'], env)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'No requests.\n',
  });
  expect(await ivJson(['requests', 'list', '--state', 'complete'], env)).toEqual({
    items: [],
    next_cursor: null,
  });
  const all = await ivJson<RequestList>(['requests', 'list', '--all'], env);
  expect(all.items[0]?.request_id).toBe(request_id);
});

// Breaks if a request that no verifier can work on stays open indefinitely.
test('close ends a request once; the second time is a conflict', async () => {
  const env = naming(service());
  const { request_id } = await aStoredRequest(service());
  const closed = await iv(['requests', 'close', request_id, '--reason', 'withdrawn'], env);
  expect(closed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(closed.stdout).toMatch(/^state +error_verifying\nerror_reason +withdrawn$/m);
  expect(await iv(['requests', 'close', request_id, '--reason', 'withdrawn'], env)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `The service at ${service().url} refused requests.close: The request already has an outcome; nothing was changed. (409)\n`,
  });
  const other = await aStoredRequest(service());
  const asJson = await ivJson<RequestModel>(
    ['requests', 'close', other.request_id, '--reason', 'payer_refusal'],
    env,
  );
  expect(asJson).toMatchObject({ request_id: other.request_id, error_reason: 'payer_refusal' });
});

test.each([
  ['get', ['requests', 'get', 'req_none']],
  ['close', ['requests', 'close', 'req_none', '--reason', 'expired']],
])('%s of an unknown id ends with 1', async (_name, args) => {
  const missing = await iv(args, naming(service()));
  expect(missing).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'Not found (404): there is no request req_none, or this API key may not see it. What there is: iv requests list\n',
  });
});

test.each([
  ['--limit', '500', 'query.limit: Input should be less than or equal to 100 (less_than_equal)'],
  ['--cursor', 'nonsense', 'query.cursor: '],
])('a %s the service refuses ends with 2 and what it says', async (option, value, fault) => {
  const refused = await iv(['requests', 'list', option, value, '--json'], naming(service()));
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain(`The input of requests.list is not valid (422):\n  ${fault}`);
  expect(refused.stderr).toContain('Right, for example: iv requests list --state pending --limit 50');
});

// Breaks if an operator who is told an id, a key or a member id on the phone cannot find whose request it is.
test('search shows a request by its id, its Idempotency-Key or its member id, without the patient', async () => {
  const env = naming(service());
  const key = 'read out on the phone';
  const { input } = await aStoredRequest(service());
  const created = await service().client.requests.create(input, { idempotencyKey: key });
  const args = ['requests', 'search', '--idempotency-key', key];
  const found = await ivJson<RequestSummaryList>(args, env);
  const { request_id, received_timestamp } = created;
  expect(found).toMatchObject({ items: [{ request_id, received_timestamp }], next_cursor: null });
  expect(await ivJson(['requests', 'search', created.request_id ?? '', '--all'], env)).toEqual(found);
  const shown = await iv(args, env);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(shown.stdout).toMatch(
    /^REQUEST_ID +ACCOUNT_ID +STATE +ANSWER +PAYER +CHANNEL +ERROR_REASON +RECEIVED +NEEDED +ERASED\nreq_/,
  );
  expect(shown.stdout).not.toMatch(/Jane|W123456789/);
  expect(await iv([...args, '--account', 'acct_of_another'], env)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'No request found.\n',
  });
});

test('search takes a member id, also from stdin, and the states of requests', async () => {
  const env = naming(service());
  const patient_info = { subscriber_id: 'W 77-PHONE', dob: '1984-05-17' };
  const { request_id } = await aStoredRequest(service(), { patient_info });
  const ids = async (args: string[]) => {
    const { items } = await ivJson<RequestSummaryList>(['requests', 'search', ...args], env);
    return items.map((item) => item.request_id);
  };
  expect(await ids(['--member-id', 'w77-phone'])).toEqual([request_id]);
  const child = spawn(process.execPath, [...SOURCE_ARGS, 'requests', 'search', '--member-id', '-'], {
    env: { ...inherited(), ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end('W77-PHONE\n');
  expect(await text(child.stdout)).toContain(request_id);
  expect(await ids(['--member-id', 'w77-phone', '--state', 'complete'])).toEqual([]);
  expect(await ids(['--state', 'pending', '--limit', '1'])).toEqual([request_id]);
});
