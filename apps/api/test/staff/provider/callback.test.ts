import { freePort } from '@insurance-verification/testing/free-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../a-service.ts';
import { BEHIND_A_PROXY, OWN_PAGE } from '../a-session.ts';
import { aProvider, providerEnv, type TestProvider } from './a-provider.ts';
import { aVisitor, isCallback, type Visitor } from './a-visitor.ts';

let service: TestService;
let provider: TestProvider;
beforeAll(async () => {
  const port = await freePort();
  const env = { ...BEHIND_A_PROXY, ...providerEnv(port), ROLES: 'http' };
  [service, provider] = await Promise.all([startTestService({ env }), aProvider({ port })]);
  provider.person = { sub: 'person', groups: ['leads'] };
});
afterAll(() => Promise.all([service.stop(), provider.stop()]));

const failure = (url: URL) => url.searchParams.get('failed');
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/console/api/sessions.me')).status === 200;

/** What somebody in between may do to the way back. */
const tampered: [string, string, (url: URL) => void][] = [
  ['another state', 'tampered', (url) => url.searchParams.set('state', 'x'.repeat(43))],
  ['no state', 'tampered', (url) => url.searchParams.delete('state')],
  ['another code', 'code_used', (url) => url.searchParams.set('code', 'x'.repeat(43))],
  ['no code', 'tampered', (url) => url.searchParams.delete('code')],
  ['another issuer', 'tampered', (url) => url.searchParams.set('iss', 'http://localhost:1')],
];
test.each(tampered)('%s on the way back gives %s', async (_, reason, change) => {
  const visitor = aVisitor(service);
  const url = await visitor.signIn({}, { change: (at) => isCallback(at) && change(at) });
  expect(failure(url)).toBe(reason);
  expect(await isSignedIn(visitor)).toBe(false);
});

/** And on the way there. */
const swapped: [string, string, string][] = [
  // A code of another sign-in, put into this one, has that one's nonce and challenge.
  ['another nonce', 'tampered', 'nonce'],
  ['another challenge', 'code_used', 'code_challenge'],
  ['another state', 'tampered', 'state'],
];
test.each(swapped)('%s on the way there gives %s', async (_, reason, name) => {
  const visitor = aVisitor(service);
  const change = (url: URL) => {
    if (url.pathname === '/auth' && url.searchParams.has(name)) url.searchParams.set(name, 'A'.repeat(43));
  };
  expect(failure(await visitor.signIn({}, { change }))).toBe(reason);
  expect(await isSignedIn(visitor)).toBe(false);
});

test('a way back that is taken twice signs in once', async () => {
  const visitor = aVisitor(service);
  const callback = await visitor.signIn({}, { until: isCallback });
  const cookie = visitor.cookies()['__Host-iv_login'] ?? '';
  expect((await visitor.follow(callback.href)).pathname).toBe('/console');
  expect(failure(await visitor.follow(callback.href))).toBe('expired');
  // Somebody who has the address and a copy of the cookie.
  const thief = aVisitor(service);
  thief.setCookie('__Host-iv_login', cookie);
  expect(failure(await thief.follow(callback.href))).toBe('code_used');
  expect(await isSignedIn(thief)).toBe(false);
});

// Otherwise a stranger's link could sign a person in as the stranger, who reads what the person then types.
test('a way back is of the browser that went there', async () => {
  const callback = await aVisitor(service).signIn({}, { until: isCallback });
  const victim = aVisitor(service);
  expect(failure(await victim.follow(callback.href))).toBe('expired');
  await victim.signIn({}, { until: isCallback });
  expect(failure(await victim.follow(callback.href))).toBe('tampered');
  const forged = aVisitor(service);
  forged.setCookie('__Host-iv_login', Buffer.alloc(120, 1).toString('base64url'));
  expect(failure(await forged.follow(callback.href))).toBe('expired');
});

test('who declines at the provider gets a page that says so', async () => {
  const { person } = provider;
  provider.person = null;
  expect(failure(await aVisitor(service).signIn())).toBe('declined');
  provider.person = person;
});

test('a new sign-in has a new secret, and ends the session that the browser had', async () => {
  const visitor = aVisitor(service);
  await visitor.signIn();
  const { '__Host-iv_session': before = '' } = visitor.cookies();
  await visitor.signIn();
  const { '__Host-iv_session': after = '' } = visitor.cookies();
  expect(after).not.toBe(before);
  const old = aVisitor(service);
  old.setCookie('__Host-iv_session', before);
  expect([await isSignedIn(visitor), await isSignedIn(old)]).toEqual([true, false]);
});

test('an address tries ten times a minute', async () => {
  const visitor = aVisitor(service);
  const tries = [];
  const change = (url: URL) => isCallback(url) && url.searchParams.set('code', 'x'.repeat(43));
  for (let count = 0; count < 11; count += 1) tries.push(failure(await visitor.signIn({}, { change })));
  expect(tries).toEqual([...Array.from({ length: 10 }, () => 'code_used'), 'too_many']);
});

// Pictures on any page used up the tries of everyone behind that address, and ended the sign-in under way.
test('addresses of the callback that other sites make up count for nothing, and end no sign-in', async () => {
  const visitor = aVisitor(service);
  const callback = await visitor.signIn({}, { until: isCallback });
  for (let count = 0; count < 11; count += 1)
    expect(failure(await visitor.follow('/console/sign-in/callback?code=x&state=x'))).toBe('tampered');
  const cookie = visitor.cookies()['__Host-iv_login'];
  for (const dest of ['image', 'iframe', 'empty', 'script']) {
    const headers = {
      host: callback.host,
      cookie: `__Host-iv_login=${cookie}`,
      'sec-fetch-dest': dest,
    };
    const answer = await service.ask('GET', `${callback.pathname}${callback.search}`, { key: null, headers });
    expect([dest, answer.status, answer.headers['set-cookie']]).toEqual([dest, 403, undefined]);
  }
  expect((await visitor.follow(callback.href)).pathname).toBe('/console');
});

// Begun by another site, it would end the session that is there, or bind it to that site's secret.
test.each([
  ['by another site', { 'sec-fetch-site': 'cross-site' }],
  ['by a page on another port', { 'sec-fetch-site': 'same-site' }],
  ['by a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['without a secret of the origin', { 'origin-secret': '' }],
])('a sign-in that is begun %s is refused', async (_, wrong) => {
  const headers = { ...OWN_PAGE, host: 'verify.example.com', ...wrong };
  const answer = await service.ask('POST', '/console/api/sign-in/provider', { key: null, body: {}, headers });
  expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
  const link = await service.ask('GET', '/console/sign-in/provider', { key: null, headers });
  expect(link.headers['set-cookie']).toBeUndefined();
});

// A name that leads here for a while makes any page same-origin (DNS rebinding).
test.each(['evil.example', 'localhost:3000', '127.0.0.1', 'verify.example.com.evil.example'])(
  'under the name %s there is no sign-in, and no session counts',
  async (host) => {
    const visitor = aVisitor(service);
    await visitor.signIn();
    const cookie = `__Host-iv_session=${visitor.cookies()['__Host-iv_session']}`;
    const headers = { host, cookie, 'sec-fetch-site': 'same-origin' };
    for (const path of ['/console/api/sessions.me', '/console/sign-in/callback', '/console/api/sign-in']) {
      const answer = await service.ask('GET', path, { key: null, headers });
      expect([path, answer.status]).toEqual([path, 403]);
    }
  },
);
