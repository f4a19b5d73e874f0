import { type Myself, problemOf, type SignInRefusal, SIGN_IN_REFUSALS } from '@insurance-verification/schema';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useService } from '../../a-service.ts';
import { rows } from '../../rows.ts';
import { consoleTransport } from '../../transports.ts';
import { aClient, aSession, BEHIND_A_PROXY, cookieOf, OWN_PAGE } from '../a-session.ts';
import { aPasskey, asked, challenged, handIn, originOf, register, signInWith } from './a-passkey.ts';
import { anAuthenticator } from './an-authenticator.ts';

const service = useService({ env: { ...BEHIND_A_PROXY, ROLES: 'http' } });

const refused = (refusal: SignInRefusal) => [401, problemOf('passkey_refused', { refusal })];
const sessionCount = async (staffId: string) =>
  (await rows(service.databaseUrl, 'select from staff_session where staff_id = $1', [staffId])).length;

// Without it the second way in would be none.
test('a passkey signs its person in, freshly, and says when it was last used', async () => {
  const { staff_id, authenticator, passkey_id, ...session } = await aPasskey(service, { roles: ['admin'] });
  const answer = await signInWith(service, authenticator);
  expect(answer.status).toBe(200);
  const me = answer.json as Myself;
  expect(me).toMatchObject({ id: staff_id, roles: ['admin'] });
  expect(Date.parse(me.session?.fresh_until ?? '')).toBeGreaterThan(Date.now());
  const cookie =
    (answer.headers['set-cookie'] as string[]).find((one) => one.startsWith('iv_session_')) ?? '';
  const own = { key: null, headers: { ...OWN_PAGE, cookie: cookie.split(';')[0] ?? '' } };
  const listed = await consoleTransport.call(service, 'passkeys.list', {}, own);
  expect(consoleTransport.output(listed)).toEqual({
    items: [
      {
        passkey_id,
        name: 'Laptop',
        created_at: expect.any(String),
        last_used_at: expect.stringMatching(/Z$/),
      },
    ],
  });
  const sessions = await consoleTransport.call(service, 'sessions.list', { limit: 100 }, own);
  const { items } = consoleTransport.output<{ items: { session_id: string; way: string }[] }>(sessions);
  expect(items.find(({ session_id }) => session_id === me.session?.session_id)?.way).toBe('passkey');
  expect(items.find(({ session_id }) => session_id === session.session_id)?.way).toBe('link');
  // What ends access asks for a fresh sign-in, which this is.
  expect((await consoleTransport.call(service, 'accounts.create', { name: 'Made' }, own)).status).toBe(200);
});

test('what the browser is asked finds any passkey of this name, and wants its user verified', async () => {
  const { options, set } = await challenged(service);
  expect(options).toEqual({
    rpId: 'localhost',
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 300_000,
    userVerification: 'required',
  });
  expect(set).toMatch(/^iv_passkey_\d+=[\w-]+; path=\/console; expires=[^;]+; samesite=lax; httponly$/);
  expect(set).not.toContain(options.challenge);
});

test('a challenge works once, whatever came of it', async () => {
  const { authenticator, staff_id } = await aPasskey(service);
  const { options, cookie } = await challenged(service);
  const signed = authenticator.get(options);
  expect((await handIn(service, cookie, signed)).status).toBe(200);
  const again = await handIn(service, cookie, authenticator.get(options));
  expect([again.status, again.json]).toEqual(refused('passkey_used'));
  const other = await challenged(service);
  await handIn(service, other.cookie, authenticator.get(other.options, { isForged: true }));
  const second = await handIn(service, other.cookie, authenticator.get(other.options));
  expect([second.status, second.json]).toEqual(refused('passkey_used'));
  expect(await sessionCount(staff_id)).toBe(2);
});

test('of two at once with one challenge, one enters', async () => {
  const { authenticator } = await aPasskey(service);
  const { options, cookie } = await challenged(service);
  const answers = await Promise.all(
    [authenticator.get(options), authenticator.get(options)].map((signed) => handIn(service, cookie, signed)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
});

test('a challenge of another browser, of another moment or for something else is refused', async () => {
  const { authenticator, ...session } = await aPasskey(service);
  const [one, other] = [await challenged(service), await challenged(service)];
  const crossed = await handIn(service, other.cookie, authenticator.get(one.options));
  expect([crossed.status, crossed.json]).toEqual(refused('passkey_invalid'));
  const without = await handIn(service, '', authenticator.get(one.options));
  expect([without.status, without.json]).toEqual(refused('passkey_expired'));
  const begun = await consoleTransport.call(service, 'passkeys.begin', {}, asked(session, service));
  const { token } = consoleTransport.output<{ token: string }>(begun);
  const name = one.cookie.split('=')[0] ?? '';
  const misused = await handIn(service, `${name}=${token}`, authenticator.get(one.options));
  expect([misused.status, misused.json]).toEqual(refused('passkey_expired'));
});

test('a challenge is five minutes old at most', async () => {
  const { authenticator } = await aPasskey(service);
  const [early, late] = [await challenged(service), await challenged(service)];
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const begunAt = Date.now();
  vi.setSystemTime(begunAt + 4 * 60_000);
  expect((await handIn(service, early.cookie, authenticator.get(early.options))).status).toBe(200);
  vi.setSystemTime(begunAt + 5 * 60_000);
  const answer = await handIn(service, late.cookie, authenticator.get(late.options));
  expect([answer.status, answer.json]).toEqual(refused('passkey_expired'));
});

const WRONG = [
  ['at another address', { origin: 'https://verify.example.org' }, 'passkey_elsewhere'],
  ['at another port', { origin: 'http://localhost:1' }, 'passkey_elsewhere'],
  ['for another name', { rpId: 'verify.example.org' }, 'passkey_invalid'],
  ['without checking its user', { isUnverified: true }, 'passkey_unverified'],
  ['something else', { isForged: true }, 'passkey_invalid'],
  ['as somebody else’s', { userId: 'stf_00000000000000000000000000' }, 'passkey_not_yours'],
] as const;

test.each(WRONG)('a passkey that signs %s is refused, in words', async (_, wrong, refusal) => {
  const { authenticator, staff_id } = await aPasskey(service);
  const answer = await signInWith(service, authenticator, wrong);
  expect([answer.status, answer.json]).toEqual(refused(refusal));
  expect(answer.json).toMatchObject({ detail: SIGN_IN_REFUSALS[refusal] });
  expect(await sessionCount(staff_id)).toBe(1);
  expect(service.logLines.at(-1)).not.toContain(authenticator.id);
});

test('a count that goes back, or stays, is a copy’s', async () => {
  const { authenticator } = await aPasskey(service);
  expect((await signInWith(service, authenticator, { count: 7 })).status).toBe(200);
  for (const count of [7, 3, 0]) {
    const answer = await signInWith(service, authenticator, { count });
    expect([answer.status, answer.json]).toEqual(refused('passkey_copied'));
  }
  expect((await signInWith(service, authenticator, { count: 8 })).status).toBe(200);
});

// Passkeys that a phone shares between devices say 0 for ever.
test('a passkey that does not count enters each time', async () => {
  const session = await aSession(service, {});
  const authenticator = anAuthenticator(originOf(service));
  await register(service, session, authenticator, { count: 0 });
  for (const count of [0, 0]) expect((await signInWith(service, authenticator, { count })).status).toBe(200);
});

test('a passkey that is not known, was removed, or whose person has ended, enters no more', async () => {
  const stranger = await signInWith(service, anAuthenticator(originOf(service)));
  expect([stranger.status, stranger.json]).toEqual(refused('passkey_unknown'));
  const { authenticator, passkey_id, ...session } = await aPasskey(service);
  const ended = await consoleTransport.call(service, 'passkeys.end', { passkey_id }, asked(session, service));
  expect(consoleTransport.output(ended)).toEqual({ passkey_id, status: 'ended' });
  const removed = await signInWith(service, authenticator);
  expect([removed.status, removed.json]).toEqual(refused('passkey_unknown'));
  const left = await aPasskey(service);
  await service.answer('POST', `/staff/${left.staff_id}/end`);
  const gone = await signInWith(service, left.authenticator);
  expect([gone.status, gone.json]).toEqual(refused('ended'));
});

test('a sign-in ends the session that the browser had', async () => {
  const { authenticator, ...session } = await aPasskey(service);
  const { options, cookie } = await challenged(service);
  const { cookie: before = '' } = session.asked.headers;
  const answer = await handIn(service, `${cookie}; ${before}`, authenticator.get(options));
  expect(answer.status).toBe(200);
  expect((await consoleTransport.call(service, 'sessions.me', {}, session.asked)).status).toBe(401);
});

// Without it ten forged signatures a minute, each from another address, keep a person out.
test('what others forge in a person’s name does not count against them', async () => {
  const { authenticator } = await aPasskey(service);
  for (let count = 0; count < 15; count += 1)
    expect((await signInWith(service, authenticator, { isForged: true })).status).toBe(401);
  for (let count = 0; count < 10; count += 1)
    expect((await signInWith(service, authenticator)).status).toBe(200);
  expect((await signInWith(service, authenticator)).status).toBe(429);
});

test('tries are limited by address, and a body by its size', async () => {
  const client = aClient();
  const statuses = [];
  for (let count = 0; count < 11; count += 1)
    statuses.push((await handIn(service, '', { id: 'x' }, client)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
  expect((await handIn(service, '', { id: 'x'.repeat(9_000) })).status).toBe(413);
});

test('a page elsewhere neither asks for a challenge nor answers one', async () => {
  for (const path of ['/console/api/sign-in/passkey/begin', '/console/api/sign-in/passkey']) {
    const headers = { ...OWN_PAGE, 'sec-fetch-site': 'cross-site' };
    const answer = await service.ask('POST', path, { key: null, body: {}, headers });
    expect([answer.status, answer.json]).toEqual([403, problemOf('cross_site')]);
  }
});

// Browsers refuse numbers: the page would only say that something went wrong.
test('at an address made of numbers the service says that passkeys need a name', async () => {
  const headers = { ...OWN_PAGE, ...aClient() };
  for (const host of ['127.0.0.1', '[::1]'].map((name) => `${name}:${new URL(service.url).port}`)) {
    const options = { key: null, headers: { ...headers, host } };
    const ways = await service.ask('GET', '/console/api/sign-in', options);
    expect(ways.json).toEqual({ way: 'link', provider: null, passkeys: false });
    const begun = await service.ask('POST', '/console/api/sign-in/passkey/begin', { ...options, body: {} });
    expect([begun.status, begun.json]).toEqual([409, problemOf('passkeys_need_name')]);
  }
  const { asked: options } = await aSession(service, {});
  const begun = await consoleTransport.call(service, 'passkeys.begin', {}, options);
  expect([begun.status, begun.json]).toEqual([409, consoleTransport.problem('passkeys_need_name')]);
  expect(cookieOf(begun)).toBe('');
});
