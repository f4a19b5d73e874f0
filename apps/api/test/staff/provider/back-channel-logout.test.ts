import { freePort } from '@insurance-verification/testing/free-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../a-service.ts';
import { rows } from '../../rows.ts';
import type { Answer } from '../../send.ts';
import { BEHIND_A_PROXY } from '../a-session.ts';
import { aProvider, providerEnv, type TestProvider } from './a-provider.ts';
import { aVisitor, type Visitor } from './a-visitor.ts';

let service: TestService;
let provider: TestProvider;
beforeAll(async () => {
  const port = await freePort();
  service = await startTestService({ env: { ...BEHIND_A_PROXY, ...providerEnv(port), ROLES: 'http' } });
  provider = await aProvider({ port, serviceUrl: service.url });
});
afterAll(() => Promise.all([service.stop(), provider.stop()]));

const isSignedIn = async (visitor: Visitor) => (await visitor.get('/console/api/sessions.me')).status === 200;

const send = (token: string): Promise<Answer> =>
  service.ask('POST', '/console/back-channel-logout', {
    key: null,
    body: new URLSearchParams({ logout_token: token }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

let personCount = 0;

/** A person signed in with two browsers, in two sessions of the provider. */
async function aPerson() {
  const sub = `person-${(personCount += 1)}`;
  provider.person = { sub, groups: ['leads'] };
  const visitors = [aVisitor(service), aVisitor(service)] as const;
  for (const visitor of visitors) await visitor.signIn();
  const sessions = await rows<{ sid: string }>(
    service.databaseUrl,
    `select provider_sid as sid from staff_session join staff_identity using (staff_id) where subject = $1
     order by staff_session.id`,
    [sub],
  );
  return { sub, visitors, sids: sessions.map(({ sid }) => sid) };
}

const signedIn = ({ visitors }: { readonly visitors: readonly Visitor[] }) =>
  Promise.all(visitors.map(isSignedIn));

test('the provider ends one of its sessions, and ours of it ends in that moment', async () => {
  const person = await aPerson();
  expect(await signedIn(person)).toEqual([true, true]);
  await provider.signOut(person.sub, person.sids[0]);
  expect(await signedIn(person)).toEqual([false, true]);
});

test('a token without a session ends all of its person’s, and no other’s', async () => {
  const [person, other] = [await aPerson(), await aPerson()];
  expect((await send(await provider.logoutToken({ sub: person.sub }))).status).toBe(200);
  expect(await signedIn(person)).toEqual([false, false]);
  expect(await signedIn(other)).toEqual([true, true]);
});

test('a session that was ended stays ended, and who comes back gets another', async () => {
  const person = await aPerson();
  const token = await provider.logoutToken({ sid: person.sids[1] });
  expect((await send(token)).status).toBe(200);
  expect(await signedIn(person)).toEqual([true, false]);
  await person.visitors[1].signIn();
  // Replayed: it would end a session of later.
  expect((await send(token)).status).toBe(400);
  expect(await signedIn(person)).toEqual([true, true]);
});

type Claims = Parameters<TestProvider['logoutToken']>;
const seconds = (ago: number) => Math.floor(Date.now() / 1000) - ago;

/** Tokens that the provider did not mean for us. */
const refused: [string, (sub: string) => Claims][] = [
  ['of another issuer', (sub) => [{ sub, iss: 'http://localhost:1' }]],
  ['for another client', (sub) => [{ sub, aud: 'someone-else' }]],
  ['with a signature of another key', (sub) => [{ sub }, { forged: true }]],
  ['of an hour ago', (sub) => [{ sub, iat: seconds(3_600) }]],
  ['that has run out', (sub) => [{ sub, exp: seconds(60) }]],
  ['without the event', (sub) => [{ sub, events: {} }]],
  // An ID token of the same provider, which has a nonce, must not count.
  ['with a nonce', (sub) => [{ sub, nonce: 'x' }]],
  ['without an id of its own', (sub) => [{ sub, jti: undefined }]],
  ['about nobody', () => [{}]],
];
test.each(refused)('a token %s ends nothing', async (_, claims) => {
  const person = await aPerson();
  const answer = await send(await provider.logoutToken(...claims(person.sub)));
  expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ code: 'bad_request' })]);
  expect(await signedIn(person)).toEqual([true, true]);
});

test.each(['', 'x', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJwZXJzb24ifQ.'])('%j is no token', async (token) => {
  expect((await send(token)).status).toBe(400);
});
