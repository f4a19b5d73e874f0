import type { AddedStaff, AuditList, CreatedApiKey } from '@insurance-verification/schema';
import { describe, expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { aSession } from '../staff/a-session.ts';
import { consoleTransport, transports } from '../transports.ts';

const service = useService();

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** A provider that has stored a request and read it twice. */
async function aReader() {
  const { account_id } = await anAccount(service);
  const key = await aKey(service, ['requests'], account_id);
  const { request_id } = await aStoredRequest(service, {}, key);
  for (let count = 0; count < 2; count += 1)
    await service.answer('GET', `/requests/${request_id}`, undefined, key);
  const [line] = await rows<{ key_id: string }>(
    service.databaseUrl,
    'select key_id from access_log where request_id = $1 limit 1',
    [request_id],
  );
  return { account_id, request_id, key_id: line?.key_id ?? '' };
}

describe.each(transports)('over $name', (transport) => {
  const list = async (input: Record<string, unknown>) => {
    const answer = await transport.call(service, 'audit.list', input);
    expect(answer.status).toBe(200);
    return transport.output<AuditList>(answer);
  };

  test('it lists who did what about one request, newest first, in pages', async () => {
    const { request_id, account_id, key_id } = await aReader();
    const line = (operation: string) => ({
      audit_id: expect.stringMatching(/^\d+$/),
      at: timestamp,
      key_id,
      account_id,
      account_name: 'Main Street Dental',
      operation,
      request_id,
      request_count: 1,
      request_account_id: account_id,
      request_account_name: 'Main Street Dental',
      account_mode: 'live',
      subject_id: null,
      subject_name: null,
      outcome: 'done',
      name: null,
      session_id: null,
      link_by: null,
      link_by_name: null,
      address: '127.0.0.1',
      change: null,
      misdated: false,
      emergency: false,
      reason: null,
      fresh_sign_in: null,
    });
    const whole = await list({ request_id });
    expect(whole).toEqual({
      items: [line('requests.get'), line('requests.get'), line('requests.create')],
      next_cursor: null,
    });
    const first = await list({ request_id, limit: 2 });
    expect(first).toEqual({ items: whole.items.slice(0, 2), next_cursor: whole.items[1]?.audit_id });
    const rest = await list({ request_id, limit: 2, cursor: first.next_cursor });
    expect(rest).toEqual({ items: whole.items.slice(2), next_cursor: null });
  });

  test('each filter keeps what it names, and all that are given hold at once', async () => {
    const reader = await aReader();
    await aReader();
    const { key_id, account_id, request_id } = reader;
    for (const filter of [{ key_id }, { account_id }]) {
      const { items } = await list({ ...filter, limit: 100 });
      expect(items.map((line) => line.request_id)).toEqual([request_id, request_id, request_id]);
    }
    const created = await list({ account_id, operation: 'requests.create' });
    expect(created.items).toHaveLength(1);
    const { at } = created.items[0] ?? expect.fail();
    expect((await list({ account_id, since: at })).items).toHaveLength(3);
    expect((await list({ account_id, until: at })).items).toEqual([]);
    expect((await list({ key_id, operation: 'keys.create' })).items).toEqual([]);
    expect((await list({ request_id: 'nonsense' })).items).toEqual([]);
    expect((await list({ account_id: 'nonsense\0' })).items).toEqual([]);
    for (const subject_id of ['nonsense', 'acct_\0', request_id])
      expect((await list({ subject_id })).items).toEqual([]);
  });

  // Without it the audit would say that somebody suspended an account, but not which.
  test('it shows what was done to one account', async () => {
    const { account_id } = await anAccount(service);
    await transport.call(service, 'accounts.suspend', { account_id });
    await transport.call(service, 'accounts.resume', { account_id });
    const { items } = await list({ subject_id: account_id });
    expect(items.map(({ operation, subject_id, request_id }) => [operation, subject_id, request_id])).toEqual(
      [
        ['accounts.resume', account_id, null],
        ['accounts.suspend', account_id, null],
        ['accounts.create', account_id, null],
      ],
    );
  });

  // Broke: an auditor had to know the id of a person, and learned only the id of whom something was done to.
  test('people and keys are found by a part of their name, and who it was done to has one', async () => {
    const { account_id } = await anAccount(service, { name: `Clinic of ${transport.name}` });
    const name = `Übung "${transport.name}"`;
    const { key } = transport.output<CreatedApiKey>(
      await transport.call(service, 'keys.create', { account_id, scopes: ['requests'], name }),
    );
    const { request_id } = await aStoredRequest(service, {}, key);
    const added = await transport.call(service, 'staff.add', {
      name: 'Eve',
      roles: ['requester'],
      account_id,
    });
    const { staff_id } = transport.output<AddedStaff>(added);
    for (const part of [name, `"${transport.name.toUpperCase()}"`]) {
      const { items } = await list({ name: part });
      expect(items.map((line) => [line.request_id, line.name])).toEqual([[request_id, name]]);
    }
    for (const filter of [
      { name: 'nobody of this name' },
      { name: '\0' },
      { name, operation: 'keys.create' },
    ])
      expect((await list(filter)).items).toEqual([]);
    for (const wrong of ['', 'x'.repeat(101)])
      expect((await transport.call(service, 'audit.list', { name: wrong })).status).toBe(422);
    for (const [operation, subject_name] of [
      ['accounts.create', `Clinic of ${transport.name}`],
      ['keys.create', name],
      ['staff.add', 'Eve'],
    ])
      expect((await list({ operation, limit: 1 })).items).toMatchObject([{ operation, subject_name }]);
    const session = await aSession(service, { name: `Ada of ${transport.name}`, roles: ['admin'] });
    await consoleTransport.call(service, 'staff.end', { staff_id }, session.asked);
    expect((await list({ name: `ADA of ${transport.name}`, operation: 'staff.end' })).items).toMatchObject([
      {
        key_id: session.staff_id,
        name: `Ada of ${transport.name}`,
        subject_id: staff_id,
        subject_name: 'Eve',
      },
    ]);
  });

  test('reading it is in it', async () => {
    const { request_id } = await aReader();
    await list({ request_id });
    const { items } = await list({ operation: 'audit.list', limit: 1 });
    expect(items).toMatchObject([{ operation: 'audit.list', request_id: null }]);
  });

  test.each(['', '0', 'req_x', '-1', '1e3', '9'.repeat(30)])('the cursor %j is 422', async (cursor) => {
    const answer = await transport.call(service, 'audit.list', { cursor });
    const msg = 'Value should be the next_cursor of a page of this list';
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid({ loc: ['query', 'cursor'], msg, type: 'value_error' }),
    ]);
  });

  test('an invalid time is 422', async () => {
    const answer = await transport.call(service, 'audit.list', { since: 'yesterday' });
    expect([answer.status, answer.json]).toMatchObject([422, {}]);
  });
});

// Broke: a line said that limits, a retention or roles were set, and by whom, and not what they had been or became.
test('what was set is in the line, before and after, with the caller’s name and address', async () => {
  const { account_id } = await anAccount(service);
  const made = await service.answer<{ key: string; key_id: string }>('POST', '/keys', {
    account_id,
    scopes: ['requests'],
    name: 'billing',
  });
  await service.answer('POST', `/accounts/${account_id}/retention`, { retention_days: 30 });
  const { staff_id } = await service.answer<{ staff_id: string }>('POST', '/staff', {
    name: 'Ann Lee',
    roles: ['viewer'],
  });
  await service.answer('POST', `/staff/${staff_id}/roles`, { roles: ['operator'] });
  await aStoredRequest(service, {}, made.key);
  const changeOf = async (subject_id: string, operation: string) => {
    const { items } = await service.answer<AuditList>(
      'GET',
      `/audit?subject_id=${subject_id}&operation=${operation}`,
    );
    return JSON.parse(items[0]?.change ?? 'null') as unknown;
  };
  expect(await changeOf(made.key_id, 'keys.create')).toEqual({
    before: null,
    after: {
      account_id,
      name: 'billing',
      scopes: ['requests'],
      expires_at: timestamp,
      allowed_cidrs: null,
      verify_within: null,
    },
  });
  expect(await changeOf(account_id, 'accounts.setRetention')).toEqual({
    before: { retention_days: null },
    after: { retention_days: null, asked_days: 30 },
  });
  expect(await changeOf(staff_id, 'staff.setRoles')).toEqual({
    before: { roles: ['viewer'], allowed_cidrs: null, verify_within: null },
    after: { roles: ['operator'], allowed_cidrs: null, verify_within: null },
  });
  const { items } = await service.answer<AuditList>('GET', `/audit?key_id=${made.key_id}`);
  expect(items).toMatchObject([
    { operation: 'requests.create', name: 'billing', address: '127.0.0.1', outcome: 'done', change: null },
  ]);
});
