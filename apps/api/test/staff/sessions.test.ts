import type { Myself, StaffSessionList } from '@insurance-verification/schema';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aService, useService } from '../a-service.ts';
import { alter, rows } from '../rows.ts';
import { consoleTransport } from '../transports.ts';
import { aSession, BEHIND_A_PROXY, callsOf, type TestSession } from './a-session.ts';

const service = useService({ env: BEHIND_A_PROXY });

const call = callsOf(() => service);

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

test('a person ends only their own sessions; an admin anyone’s', async () => {
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
