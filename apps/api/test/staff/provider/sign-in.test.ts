import type { Myself, StaffLink } from '@insurance-verification/schema';
import { freePort } from '@insurance-verification/testing/free-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anAccount } from '../../a-key.ts';
import { aService, startTestService, type TestService } from '../../a-service.ts';
import { alter, rows } from '../../rows.ts';
import { aClient, BEHIND_A_PROXY } from '../a-session.ts';
import { aProvider, providerEnv, type TestProvider } from './a-provider.ts';
import { aVisitor, isCallback, type Visitor } from './a-visitor.ts';

let service: TestService;
let provider: TestProvider;
beforeAll(async () => {
  const port = await freePort();
  const env = { ...BEHIND_A_PROXY, ...providerEnv(port), ROLES: 'http' };
  [service, provider] = await Promise.all([startTestService({ env }), aProvider({ port })]);
});
afterAll(() => Promise.all([service.stop(), provider.stop()]));

let personCount = 0;
const aSub = () => `person-${(personCount += 1)}`;

/** What the signed-in person is told of themselves; the status where nobody is signed in. */
async function me(visitor: Visitor): Promise<Myself | number> {
  const answer = await visitor.get('/console/api/sessions.me');
  return answer.status === 200 ? (answer.json as { result: { data: Myself } }).result.data : answer.status;
}

const failure = (url: URL) => url.searchParams.get('failed');

test('what is asked of the provider has a state, a nonce and a challenge, new each time', async () => {
  provider.person = { sub: aSub(), groups: ['leads'] };
  await aVisitor(service).signIn();
  const first = Object.fromEntries(provider.asked);
  expect(first).toMatchObject({
    response_type: 'code',
    scope: 'openid profile groups',
    code_challenge_method: 'S256',
    redirect_uri: 'https://verify.example.com/console/sign-in/callback',
  });
  await aVisitor(service).signIn();
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect([name, provider.asked.get(name)?.length ?? 0, provider.asked.get(name)]).not.toEqual([
      name,
      0,
      first[name],
    ]);
});

// Set by another host of the domain, or over plain http, a cookie would sign a person in as somebody else.
test('the cookies are only of this host and of https', async () => {
  provider.person = { sub: aSub(), groups: ['leads'] };
  const visitor = aVisitor(service);
  const started = await visitor.post('/console/api/sign-in/provider', {});
  expect(started.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-iv_login=[\w-]+; path=\/; expires=[^;]+; samesite=lax; secure; httponly$/),
  ]);
  const { continue_at } = started.json as { continue_at: string };
  const callback = await visitor.follow(continue_at, { until: isCallback });
  const finished = await visitor.get(callback.href);
  expect(finished.status).toBe(303);
  expect(finished.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-iv_login=; path=\/; expires=Thu, 01 Jan 1970/),
    expect.stringMatching(/^__Host-iv_session=[\w-]{43}; path=\/; samesite=lax; secure; httponly$/),
  ]);
});

test('the page to come back to is one of the console', async () => {
  provider.person = { sub: aSub(), groups: ['leads'] };
  const leadsTo = async (to: string) => {
    const url = await aVisitor(service).signIn({ to });
    return url.href;
  };
  expect(await leadsTo('/console/requests?state=pending')).toBe(
    'https://verify.example.com/console/requests?state=pending',
  );
  for (const to of [
    'https://evil.example',
    '//evil.example',
    '/console//evil.example',
    '/\\evil',
    '/docs',
    '/console/../docs',
  ])
    expect([to, await leadsTo(to)]).toEqual([to, 'https://verify.example.com/console']);
});

const YEAR = 365 * 24 * 3_600;

// A sign-in would have stayed fresh for years, at a browser that somebody left open.
test.each([
  ['a year ahead', () => -YEAR],
  ['in milliseconds', () => Math.floor(Date.now() / 1000) - Date.now()],
  ['40 seconds ahead', () => -40],
])('an auth_time %s begins no session', async (_, since) => {
  provider.person = { sub: aSub(), groups: ['leads'], since: since() };
  const visitor = aVisitor(service);
  for (const fresh of [false, true])
    expect([fresh, failure(await visitor.signIn({ fresh }))]).toEqual([fresh, 'provider_refused']);
  expect(await me(visitor)).toBe(401);
});

test('a provider whose clock is 20 seconds ahead signs in, as of now', async () => {
  provider.person = { sub: aSub(), groups: ['leads'], since: -20 };
  const visitor = aVisitor(service);
  await visitor.signIn();
  const { id } = (await me(visitor)) as Myself;
  const found = await rows(
    service.databaseUrl,
    'select proven_at = created_at as is_now from staff_session where staff_id = $1',
    [id],
  );
  expect(found).toEqual([{ is_now: true }]);
});

test.each([
  [['pwd'], 'amr_missing'],
  [undefined, 'amr_missing'],
  [['pwd', 'mfa'], null],
  [['hwk'], null],
])('with a second factor required, %j gives %s', async (amr, reason) => {
  const port = await freePort();
  const env = { ...BEHIND_A_PROXY, ...providerEnv(port), ROLES: 'http', OIDC_REQUIRED_AMR: 'mfa, hwk' };
  const [strict, there] = await Promise.all([
    aService({ env, databaseUrl: service.databaseUrl }),
    aProvider({ port }),
  ]);
  there.person = { sub: aSub(), groups: ['leads'], ...(amr && { amr }) };
  expect(failure(await aVisitor(strict).signIn())).toBe(reason);
  await there.stop();
});

test('the service starts without its provider, and signs people in as soon as that is there', async () => {
  const port = await freePort();
  const env = { ...BEHIND_A_PROXY, ...providerEnv(port), ROLES: 'http' };
  const early = await aService({ env, databaseUrl: service.databaseUrl });
  const visitor = aVisitor(early);
  expect(failure(await visitor.signIn())).toBe('provider_down');
  const late = await aProvider({ port });
  late.person = { sub: aSub(), groups: ['leads'] };
  expect((await visitor.signIn()).pathname).toBe('/console');
  // Gone between its page and ours.
  const callback = await visitor.signIn({}, { until: isCallback });
  await late.stop();
  expect(failure(await visitor.follow(callback.href))).toBe('provider_down');
});

// The provider's tokens open more than this service: they must not lie around in it.
test('neither the log nor the database holds a token of the provider', async () => {
  provider.person = { sub: aSub(), groups: ['leads'] };
  const visitor = aVisitor(service);
  const callback = await visitor.signIn({}, { until: isCallback });
  const code = callback.searchParams.get('code') ?? '';
  const cookie = visitor.cookies()['__Host-iv_login'] ?? '';
  await visitor.follow(callback.href);
  const [stored] = await rows<{ text: string }>(
    service.databaseUrl,
    `select string_agg(line, e'\\n') as text from (
       select to_jsonb(s)::text as line from staff_session s union all select to_jsonb(i)::text from staff_identity i
       union all select to_jsonb(a)::text from access_log a) as lines`,
  );
  for (const secret of [code, cookie, 'eyJ']) {
    expect(secret.length).toBeGreaterThan(2);
    expect(stored?.text).not.toContain(secret);
    expect(service.logLines.join('\n')).not.toContain(secret);
  }
});

test('the first sign-in makes a person of the platform, with the roles of their groups', async () => {
  provider.person = { sub: aSub(), name: 'Ada Jones', groups: ['leads', 'verifiers', 'elsewhere'] };
  const visitor = aVisitor(service);
  expect((await visitor.signIn()).pathname).toBe('/console');
  expect(await me(visitor)).toMatchObject({
    id: expect.stringMatching(/^stf_/) as string,
    name: 'Ada Jones',
    roles: ['operator', 'auditor', 'verifier'],
    account_id: 'acct_00000000000000000000000000',
  });
});

test('roles follow the provider at each sign-in, in every session of the person', async () => {
  const sub = aSub();
  provider.person = { sub, name: 'Ada', groups: ['verifiers'] };
  const [before, after] = [aVisitor(service), aVisitor(service)];
  await before.signIn();
  const person = (await me(before)) as Myself;
  provider.person = { sub, name: 'Ada Jones', groups: ['admins'] };
  await after.signIn();
  for (const visitor of [before, after])
    expect(await me(visitor)).toMatchObject({ id: person.id, name: 'Ada Jones', roles: ['admin'] });
});

test('without a mapped role there is no entry, and who lost every role keeps no session', async () => {
  const sub = aSub();
  provider.person = { sub, groups: ['elsewhere'] };
  const stranger = aVisitor(service);
  expect(failure(await stranger.signIn())).toBe('no_role');
  expect(await me(stranger)).toBe(401);
  provider.person = { sub, groups: ['leads'] };
  const person = aVisitor(service);
  await person.signIn();
  provider.person = { sub, groups: [] };
  expect(failure(await aVisitor(service).signIn())).toBe('no_role');
  expect(await me(person)).toBe(401);
});

// An address is given to the next employee of the same name.
test('people are who the provider says, never who has their e-mail', async () => {
  const ids = [];
  for (const sub of [aSub(), aSub()]) {
    provider.person = { sub, name: 'Ada', email: 'ada@example.com', groups: ['leads'] };
    const visitor = aVisitor(service);
    await visitor.signIn();
    ids.push(((await me(visitor)) as Myself).id);
  }
  expect(new Set(ids).size).toBe(2);
});

test('two first sign-ins at once make one person', async () => {
  provider.person = { sub: aSub(), groups: ['leads'] };
  const visitors = [aVisitor(service), aVisitor(service), aVisitor(service)];
  await Promise.all(visitors.map((visitor) => visitor.signIn()));
  const people = await Promise.all(visitors.map(me));
  expect(new Set(people.map((person) => (person as Myself).id)).size).toBe(1);
});

test('a person whose access was ended does not come back in', async () => {
  provider.person = { sub: aSub(), groups: ['leads'] };
  const visitor = aVisitor(service);
  await visitor.signIn();
  await service.answer('POST', `/staff/${((await me(visitor)) as Myself).id}/end`);
  expect(await me(visitor)).toBe(401);
  expect(failure(await visitor.signIn())).toBe('ended');
});

/** A person added by an administrator, and the token of their link. */
async function anInvited(accountId: string | null, roles: readonly string[]) {
  const body = { name: 'Invited', roles, account_id: accountId };
  const { json } = await service.ask('POST', '/staff', { body, headers: aClient() });
  const { staff_id, link } = json as StaffLink;
  return { staff_id, link, invitation: link?.path.split('#')[1], visitor: aVisitor(service) };
}

test('a link invites a person, who then signs in with the provider', async () => {
  const { account_id, name } = await anAccount(service);
  const { staff_id, link, invitation, visitor } = await anInvited(account_id, ['requester']);
  const look = () => visitor.post('/console/api/sign-in/link', { token: invitation });
  expect((await look()).json).toEqual({ name: 'Invited', account_name: name, replaces: null });
  const used = await visitor.post('/console/api/sign-in', { token: invitation });
  expect([used.status, await me(visitor)]).toEqual([405, 401]);
  const days = (Date.parse(link?.expires_at ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.9);
  // Of the roles that the groups give, those that a person of an account may have.
  provider.person = { sub: aSub(), name: 'Grace', groups: ['portal', 'admins'] };
  expect((await visitor.signIn({ invitation })).pathname).toBe('/console');
  expect(await me(visitor)).toMatchObject({ id: staff_id, name: 'Grace', roles: ['requester'], account_id });
  expect((await look()).json).toMatchObject({ code: 'link_not_valid' });
});

test('an invitation makes no second person, and one that was not taken up binds no identity', async () => {
  provider.person = { sub: aSub(), groups: ['leads'] };
  const { visitor } = await anInvited(null, ['operator']);
  await visitor.signIn(); // without taking it up
  const { id } = (await me(visitor)) as Myself;
  const { staff_id, visitor: other, ...taken } = await anInvited(null, ['operator']);
  expect(failure(await other.signIn({ invitation: taken.invitation }))).toBe('identity_taken');
  expect(staff_id).not.toBe(id);
  const { invitation, visitor: late } = await anInvited(null, ['operator']);
  expect(invitation).toHaveLength(43);
  await alter(service.databaseUrl, 'update sign_in_link set expires_at = now()');
  provider.person = { sub: aSub(), groups: ['leads'] };
  expect(failure(await late.signIn({ invitation }))).toBe('link_not_valid');
});
