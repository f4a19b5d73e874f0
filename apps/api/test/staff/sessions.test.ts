import type { AccountList, Myself, OperationName, StaffSessionList } from '@insurance-verification/schema';
import { until } from '@insurance-verification/testing/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { aService, startTestService, type TestService } from '../a-service.ts';
import { alter, rows } from '../rows.ts';
import { consoleTransport } from '../transports.ts';
import { aSession, BEHIND_A_PROXY, type TestSession } from './a-session.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: BEHIND_A_PROXY });
});
afterAll(() => service.stop());

const call = (
  session: TestSession,
  operation: OperationName,
  input = {},
  headers: Record<string, string> = {},
) =>
  consoleTransport.call(service, operation, input, {
    key: null,
    headers: { ...session.asked.headers, ...headers },
  });

const statusOf = async (session: TestSession) => (await call(session, 'sessions.me')).status;

const SIGNED_OUT = [401, consoleTransport.problem('signed_out')];

/** Moves a session's last use and its start into the past. */
const age = (session: TestSession, { idle = '0', begun = '0' }) =>
  alter(
    service.databaseUrl,
    `update staff_session set used_at = used_at - $2::interval, expires_at = expires_at - $3::interval where id = $1`,
    [session.session_id, idle, begun],
  );

// 45 CFR 164.312(a)(2)(iii): an abandoned desk must not stay signed in.
test('a session ends after 15 minutes without use, and not before', async () => {
  const session = await aSession(service, {});
  await age(session, { idle: '14 minutes' });
  expect(await statusOf(session)).toBe(200);
  await age(session, { idle: '14 minutes' });
  expect(await statusOf(session)).toBe(200); // the previous call counted as use
  await age(session, { idle: '15 minutes 1 second' });
  const answer = await call(session, 'sessions.me');
  expect([answer.status, answer.json]).toEqual(SIGNED_OUT);
});

// Without it a page that refreshes itself every few seconds would keep the session open indefinitely.
test('what a page does by itself keeps no session alive', async () => {
  const session = await aSession(service, {});
  await age(session, { idle: '14 minutes' });
  const answer = await call(session, 'sessions.me', {}, { background: '1' });
  const { session: facts } = consoleTransport.output<Myself>(answer);
  expect(Date.parse(facts?.idle_ends_at ?? '') - Date.now()).toBeLessThan(61_000);
  await age(session, { idle: '1 minute' });
  expect(await statusOf(session)).toBe(401);
});

test('a session ends after 12 hours, however much it is used', async () => {
  const session = await aSession(service, {});
  const { session: facts } = consoleTransport.output<Myself>(await call(session, 'sessions.me'));
  const hours = (Date.parse(facts?.ends_at ?? '') - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThanOrEqual(12);
  await age(session, { begun: '12 hours' });
  expect(await statusOf(session)).toBe(401);
});

test.each([
  ['one letter changed', (token: string) => `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`],
  ['cut short', (token: string) => token.slice(0, -1)],
  ['longer', (token: string) => `${token}A`],
  ['empty', () => ''],
  ['of another kind', () => '%00'],
])('a tampered cookie, %s, is no session', async (_, tamper) => {
  const session = await aSession(service, {});
  const [name = '', token = ''] = (session.asked.headers['cookie'] ?? '').split('=');
  const answer = await call(session, 'sessions.me', {}, { cookie: `${name}=${tamper(token)}` });
  expect([answer.status, answer.json]).toEqual(SIGNED_OUT);
});

test('a person ends one of their own sessions and nobody else’s; an admin anyone’s', async () => {
  const roles = ['viewer'] as const;
  const [own, other, admin] = [
    await aSession(service, { roles: [...roles] }),
    await aSession(service, { roles: [...roles] }),
    await aSession(service, { roles: ['admin'] }),
  ];
  const end = (by: TestSession, { session_id }: TestSession) => call(by, 'sessions.end', { session_id });
  const foreign = await end(own, other);
  expect([foreign.status, foreign.json]).toEqual([404, consoleTransport.problem('not_found')]);
  expect(await statusOf(other)).toBe(200);
  for (const by of [own, admin]) {
    const ended = await end(by, by === own ? own : other);
    expect(consoleTransport.output(ended)).toMatchObject({ status: 'ended' });
  }
  expect([await statusOf(own), await statusOf(other)]).toEqual([401, 401]);
  expect((await end(admin, other)).status).toBe(200);
});

// Each process asks the database on every call: a cache would let an ended session continue.
test('a session that is ended has ended in every process at once', async () => {
  const other = await aService({ databaseUrl: service.databaseUrl, env: BEHIND_A_PROXY });
  const session = await aSession(service, { roles: ['admin'] });
  const [, token = ''] = (session.asked.headers['cookie'] ?? '').split('=');
  const cookie = `iv_session_${new URL(other.url).port}=${token}`;
  const there = { key: null, headers: { ...session.asked.headers, cookie } };
  expect((await consoleTransport.call(other, 'sessions.me', {}, there)).status).toBe(200);
  await call(session, 'sessions.end', { session_id: session.session_id });
  expect((await consoleTransport.call(other, 'sessions.me', {}, there)).status).toBe(401);
});

test('sessions are listed to their person, and to an admin with everyone’s', async () => {
  const person = await aSession(service, { name: 'Grace' });
  const admin = await aSession(service, { roles: ['admin'] });
  const own = await call(person, 'sessions.list');
  expect(consoleTransport.output<StaffSessionList>(own)).toEqual({
    items: [
      {
        session_id: person.session_id,
        staff_id: person.staff_id,
        name: 'Grace',
        signed_in_at: expect.any(String) as string,
        last_used_at: expect.any(String) as string,
        idle_ends_at: expect.any(String) as string,
        ends_at: expect.any(String) as string,
        way: 'link',
        device: null,
      },
    ],
    next_cursor: null,
  });
  const all = await call(admin, 'sessions.list', { limit: 2 });
  const { items, next_cursor } = consoleTransport.output<StaffSessionList>(all);
  expect(items.map(({ session_id }) => session_id)).toEqual([admin.session_id, person.session_id]);
  const more = await call(admin, 'sessions.list', { limit: 2, cursor: next_cursor });
  expect(consoleTransport.output<StaffSessionList>(more).items.length).toBeGreaterThan(0);
});

test('other roles hold from the next call on, and an ended person has none', async () => {
  const admin = await aSession(service, { roles: ['admin'] });
  const person = await aSession(service, { roles: ['operator'] });
  const { staff_id } = person;
  expect((await call(person, 'heldOutputs.list')).status).toBe(200);
  await call(admin, 'staff.setRoles', { staff_id, roles: ['auditor'] });
  expect((await call(person, 'heldOutputs.list')).status).toBe(403);
  expect((await call(person, 'audit.list')).status).toBe(200);
  const ended = await call(admin, 'staff.end', { staff_id });
  expect(ended.status).toBe(200);
  expect(await statusOf(person)).toBe(401);
  expect((await call(admin, 'staff.link', { staff_id })).status).toBe(404);
  expect((await call(admin, 'staff.end', { staff_id })).json).toEqual(ended.json);
});

// Without it a typo would leave a person with a role that no check knows, or one of an account with the platform's.
test('a role that nobody knows is refused by name, and so is one of the platform for a person of an account', async () => {
  const { account_id } = await anAccount(service);
  const { staff_id } = await aSession(service, { roles: ['viewer'], account_id });
  const admin = await aSession(service, { roles: ['admin'] });
  for (const [operation, input] of [
    ['staff.setRoles', { staff_id }],
    ['staff.add', { name: 'Eve', account_id }],
  ] as const) {
    const unknown = await call(admin, operation, { ...input, roles: ['viewer', 'boss'] });
    expect([unknown.status, unknown.json]).toEqual([
      422,
      consoleTransport.invalid({
        loc: ['body', 'roles', 1],
        msg: "Input should be 'viewer', 'requester', 'verifier', 'operator', 'admin', 'auditor' or 'privacy'",
        type: 'enum',
      }),
    ]);
    const others = await call(admin, operation, { ...input, roles: ['verifier'] });
    expect([others.status, others.json]).toEqual([
      422,
      consoleTransport.invalid({
        loc: ['body', 'roles'],
        msg: 'People of an account may have the roles viewer and requester only',
        type: 'value_error',
      }),
    ]);
  }
});

test('an admin takes neither the role nor the access from themselves', async () => {
  const admin = await aSession(service, { roles: ['admin', 'operator'] });
  const { staff_id } = admin;
  for (const [operation, input] of [
    ['staff.setRoles', { staff_id, roles: ['operator'] }],
    ['staff.end', { staff_id }],
  ] as const) {
    const answer = await call(admin, operation, input);
    expect([answer.status, answer.json]).toEqual([409, consoleTransport.problem('locks_caller_out')]);
  }
});

// Broke: an admin, who sees no patients, made themselves an operator without anybody's knowing.
test('an admin gives themselves no role while there is another admin, who can', async () => {
  const [admin, other] = [
    await aSession(service, { roles: ['admin'] }),
    await aSession(service, { roles: ['admin'] }),
  ];
  const { staff_id } = admin;
  const given = { staff_id, roles: ['admin', 'operator'] };
  const refused = await call(admin, 'staff.setRoles', given);
  expect([refused.status, refused.json]).toEqual([409, consoleTransport.problem('another_admin_required')]);
  expect((await call(admin, 'staff.setRoles', { staff_id, roles: ['admin'] })).status).toBe(200);
  expect((await call(other, 'staff.setRoles', given)).status).toBe(200);
  // One who was ended, or who is of an account, is no other admin.
  await alter(
    service.databaseUrl,
    `update staff set ended_at = now() where id <> $1 and 'admin' = any (roles)`,
    [staff_id],
  );
  const more = await call(admin, 'staff.setRoles', { staff_id, roles: ['admin', 'operator', 'auditor'] });
  expect(more.status).toBe(200);
});

// The long poll began while the session was alive: without a second check it would lease to nobody.
test('a claim that waits ends with the session', async () => {
  const session = await aSession(service, { roles: ['verifier'] });
  const waiting = call(session, 'work.claim', { channels: ['manual_phone_call'], wait_seconds: 25 });
  await until('it has looked', async () => {
    const sql = `select 1 from channel_attendance where channel = 'manual_phone_call' limit 1`;
    return (await rows(service.databaseUrl, sql)).length === 1;
  });
  await service.answer('POST', `/sessions/${session.session_id}/end`);
  const answer = await waiting;
  expect([answer.status, answer.json]).toEqual(SIGNED_OUT);
});

test('people of an account act for it alone, and are refused while it is suspended', async () => {
  const { account_id } = await anAccount(service);
  const person = await aSession(service, { roles: ['requester'], account_id });
  const me = consoleTransport.output<Myself>(await call(person, 'sessions.me'));
  expect(me).toMatchObject({ account_id, roles: ['requester'], scopes: ['requests'] });
  const { account_id: foreign } = await anAccount(service);
  for (const other of [foreign, 'acct_x']) {
    const answer = await call(person, 'requests.list', {}, { 'account-id': other });
    expect([answer.status, answer.json]).toEqual([404, consoleTransport.problem('not_found')]);
  }
  await service.answer('POST', `/accounts/${account_id}/suspend`);
  const refused = await call(person, 'requests.list');
  expect([refused.status, refused.json]).toEqual([403, consoleTransport.problem('account_suspended')]);
});

// Without it a requester of the platform could post for one account alone, or one of an account see the others' names.
test('people of the platform find every account that they may act for by its name, others only their own', async () => {
  const { account_id: own } = await anAccount(service, { name: 'Östliche „Zahnklinik“ Group' });
  const { account_id: other } = await anAccount(service, { name: 'Main Street Zahnklinik', mode: 'test' });
  const { account_id: gone } = await anAccount(service, { name: 'Gone Zahnklinik' });
  await service.answer('POST', `/accounts/${gone}/suspend`);
  const found = async (session: TestSession, name?: string, headers = {}) => {
    const answer = await call(session, 'sessions.accounts', { name }, headers);
    return consoleTransport.output<AccountList>(answer).items.map(({ account_id }) => account_id);
  };
  const requester = await aSession(service, { roles: ['requester'] });
  expect(await found(requester, 'ZAHNKLINIK')).toEqual([other, own]);
  expect(await found(requester, 'Östliche „Z')).toEqual([own]);
  expect(await found(requester, 'Gone')).toEqual([]);
  expect(await found(requester, '%')).toEqual([]);
  // Also while acting for a test account, from which nothing else live is seen.
  expect(await found(requester, 'zahn', { 'account-id': other })).toEqual([other, own]);
  const me = consoleTransport.output<Myself>(
    await call(requester, 'sessions.me', {}, { 'account-id': other }),
  );
  expect(me).toMatchObject({
    account_id: other,
    session: { account_name: 'Main Street Zahnklinik', may_switch: true },
  });
  const clerk = await aSession(service, { roles: ['requester'], account_id: own });
  expect(await found(clerk)).toEqual([own]);
  expect(consoleTransport.output<Myself>(await call(clerk, 'sessions.me')).session).toMatchObject({
    account_name: 'Östliche „Zahnklinik“ Group',
    may_switch: false,
  });
});

// An admin's slip must not make a portal user an operator.
test.each([[['operator']], [['viewer', 'admin']], [['verifier']]])(
  'nobody of an account has the roles %s',
  async (roles) => {
    const { account_id } = await anAccount(service);
    const body = { name: 'Eve', roles, account_id };
    const answer = await service.ask('POST', '/staff', { body });
    expect([answer.status, answer.json]).toEqual([
      422,
      {
        detail: [
          {
            loc: ['body', 'roles'],
            msg: 'People of an account may have the roles viewer and requester only',
            type: 'value_error',
          },
        ],
      },
    ]);
  },
);

// Like Stripe's header for the same purpose; a test account turns the whole call into test mode.
test('someone of the platform acts for the account that a header names', async () => {
  const person = await aSession(service, { roles: ['requester', 'operator'] });
  const { account_id } = await anAccount(service, { mode: 'test' });
  const me = await call(person, 'sessions.me', {}, { 'account-id': account_id });
  expect(consoleTransport.output<Myself>(me)).toMatchObject({ id: person.staff_id, account_id });
  const unknown = await call(person, 'sessions.me', {}, { 'account-id': 'acct_x' });
  expect(unknown.status).toBe(404);
});

test('the access log names the person', async () => {
  const auditor = await aSession(service, { roles: ['auditor'] });
  await call(auditor, 'audit.list');
  const mine = await call(auditor, 'audit.list', { key_id: auditor.staff_id, operation: 'audit.list' });
  expect(consoleTransport.output<{ items: unknown[] }>(mine).items).toMatchObject([
    { key_id: auditor.staff_id, account_id: 'acct_00000000000000000000000000', operation: 'audit.list' },
  ]);
});

// A person of the platform acts for `default`, where keys have no quotas.
test('a person reveals a secret ten times an hour', async () => {
  const admin = await aSession(service, { roles: ['admin'] });
  const statuses = [];
  for (let count = 0; count < 11; count += 1) statuses.push((await call(admin, 'webhookSecret.get')).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
});
