import { problemOf } from '@insurance-verification/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../a-service.ts';
import { consoleTransport } from '../transports.ts';
import {
  aClient,
  aPerson,
  aSession,
  BEHIND_A_PROXY,
  OWN_PAGE,
  signIn,
  type TestSession,
} from './a-session.ts';

let service: TestService;
let other: TestService;
let session: TestSession;
beforeAll(async () => {
  [service, other] = await Promise.all([
    startTestService({ env: BEHIND_A_PROXY }),
    startTestService({ env: BEHIND_A_PROXY }),
  ]);
  session = await aSession(service, { roles: ['admin'] });
});
afterAll(() => Promise.all([service.stop(), other.stop()]));

const CROSS_SITE = [403, consoleTransport.problem('cross_site')];
const JSON_TYPE = { 'content-type': 'application/json' };
const cookie = () => ({ cookie: session.asked.headers['cookie'] ?? '' });

/** What a browser, or another program, says about a call's origin. */
const refused: [string, () => Record<string, string>][] = [
  ['from a page on another port', () => ({ ...JSON_TYPE, 'sec-fetch-site': 'same-site' })],
  ['from a page of another site', () => ({ ...JSON_TYPE, 'sec-fetch-site': 'cross-site' })],
  ['from the address bar or a bookmark', () => ({ ...JSON_TYPE, 'sec-fetch-site': 'none' })],
  ['that does not say', () => JSON_TYPE],
  ['from another origin, by an older browser', () => ({ ...JSON_TYPE, origin: 'http://localhost:1' })],
  ['from a sandboxed frame, by an older browser', () => ({ ...JSON_TYPE, origin: 'null' })],
  [
    'from an origin of ours that the browser says is another',
    () => ({ ...JSON_TYPE, origin: service.url, 'sec-fetch-site': 'cross-site' }),
  ],
  ['to a name that was made to lead here', () => ({ ...OWN_PAGE, host: 'evil.example' })],
  ['to an address of the network', () => ({ ...OWN_PAGE, host: '192.168.1.7:3000' })],
];
const refusedPosts: typeof refused = [
  ...refused,
  ['as a form', () => ({ ...OWN_PAGE, 'content-type': 'application/x-www-form-urlencoded' })],
  ['as a form of plain text', () => ({ ...OWN_PAGE, 'content-type': 'text/plain;application/json' })],
  ['as a form of parts', () => ({ ...OWN_PAGE, 'content-type': 'multipart/form-data; boundary=x' })],
  ['without a type', () => ({ 'sec-fetch-site': 'same-origin', 'content-type': '' })],
];

describe('a call with the cookie', () => {
  test.each(refused)('%s reads nothing', async (_, headers) => {
    const answer = await consoleTransport.call(
      service,
      'staff.list',
      {},
      { headers: { ...headers(), ...cookie() } },
    );
    expect([answer.status, answer.json]).toEqual(CROSS_SITE);
  });

  test.each(refusedPosts)('%s changes nothing', async (_, headers) => {
    const input = { name: 'x', roles: ['admin'] };
    const asked = { key: null, headers: { ...headers(), ...cookie() } };
    const answer = await consoleTransport.call(service, 'staff.add', input, asked);
    expect([answer.status, answer.json]).toEqual(CROSS_SITE);
  });

  test.each(refusedPosts)('%s ends no session', async (_, headers) => {
    const asked = { key: null, headers: { ...headers(), ...cookie() } };
    expect((await service.ask('POST', '/console/api/sign-out', asked)).status).toBe(403);
    expect((await consoleTransport.call(service, 'sessions.me', {}, session.asked)).status).toBe(200);
  });
});

// Otherwise a page could sign its visitor in as its author, who then reads what the visitor types (login CSRF).
test.each(refusedPosts)('a link opened %s begins no session', async (_, headers) => {
  const answer = await signIn(service, service.firstLink, { 'sec-fetch-site': '', ...headers() });
  expect(answer.status).toBe(403);
  expect(answer.headers['set-cookie']).toBeUndefined();
});

test.each(refusedPosts)('a link opened %s shows no name', async (_, headers) => {
  const { token } = await aPerson(service, {});
  const answer = await service.ask('POST', '/console/api/sign-in/link', {
    key: null,
    body: { token },
    headers: { ...headers(), ...aClient() },
  });
  expect([answer.status, answer.json]).toEqual([403, problemOf('cross_site')]);
});

// The session would be nobody's: no page could use it.
test.each(['', 'short', 'A'.repeat(44), `${'A'.repeat(42)}=`])(
  'with %j for a secret of the origin no session begins',
  async (secret) => {
    const { token } = await aPerson(service, {});
    const wrong = await signIn(service, token, { 'origin-secret': secret });
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await signIn(service, token)).status).toBe(200);
  },
);

test.each(['localhost', '127.0.0.1', '[::1]', '127.0.0.2'])(
  'a page at %s, through a tunnel as well, is of this machine',
  async (name) => {
    const headers = { ...OWN_PAGE, ...cookie(), host: `${name}:8443` };
    const answer = await consoleTransport.call(service, 'sessions.me', {}, { key: null, headers });
    expect(answer.status).toBe(200);
  },
);

test('a browser that does not send Sec-Fetch-Site is believed by its Origin', async () => {
  const { 'sec-fetch-site': _, ...page } = OWN_PAGE;
  const headers = { ...page, ...cookie(), origin: service.url };
  const answer = await consoleTransport.call(service, 'sessions.me', {}, { key: null, headers });
  expect(answer.status).toBe(200);
});

// Otherwise every cross-site rule would have to hold there too.
test.each(['/staff', '/sessions/me', '/trpc/staff.list', '/trpc/sessions.me'])(
  '%s knows no cookie',
  async (path) => {
    const answer = await service.ask('GET', path, session.asked);
    expect(answer.status).toBe(401);
  },
);

// A browser sends a host's cookies to all its ports: one service must not take another's for its own.
test('two services on one host take each their own cookie', async () => {
  const there = await aSession(other, { roles: ['auditor'] });
  const both = `${session.asked.headers['cookie']}; ${there.asked.headers['cookie']}`;
  const asked = { key: null, headers: { ...OWN_PAGE, cookie: both } };
  for (const [at, staff_id] of [
    [service, session.staff_id],
    [other, there.staff_id],
  ] as const) {
    const answer = await consoleTransport.call(at, 'sessions.me', {}, asked);
    expect(consoleTransport.output<{ id: string }>(answer).id).toBe(staff_id);
  }
  const foreign = await consoleTransport.call(other, 'sessions.me', {}, session.asked);
  expect(foreign.status).toBe(401);
});

test('a key that comes with the cookie counts for nothing', async () => {
  const { headers } = await aSession(service, { roles: ['auditor'] }).then(({ asked }) => asked);
  const answer = await consoleTransport.call(service, 'staff.list', {}, { headers });
  expect(answer.status).toBe(403);
});
