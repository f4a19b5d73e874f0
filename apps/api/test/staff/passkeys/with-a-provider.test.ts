import { problemOf } from '@insurance-verification/schema';
import { freePort } from '@insurance-verification/testing/free-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../a-service.ts';
import { alter, rows } from '../../rows.ts';
import { BEHIND_A_PROXY } from '../a-session.ts';
import { aProvider, providerEnv, PUBLIC_URL, type TestProvider } from '../provider/a-provider.ts';
import { aVisitor, type Visitor } from '../provider/a-visitor.ts';
import { anAuthenticator, type TestAuthenticator } from './an-authenticator.ts';

let service: TestService;
let provider: TestProvider;
beforeAll(async () => {
  const port = await freePort();
  provider = await aProvider({ port });
  service = await startTestService({ env: { ...BEHIND_A_PROXY, ...providerEnv(port), ROLES: 'http' } });
});
afterAll(() => Promise.all([service.stop(), provider.stop()]));

interface Begun {
  readonly result: {
    readonly data: { readonly token: string; readonly options: Parameters<TestAuthenticator['create']>[0] };
  };
}

/** A person whom the provider let in just now, and who then registered a passkey. */
async function aPerson(sub: string): Promise<TestAuthenticator> {
  provider.person = { sub, groups: ['verifiers'], since: 0 };
  const visitor = aVisitor(service);
  expect((await visitor.signIn()).pathname).toBe('/console');
  const { result } = (await visitor.post('/console/api/passkeys.begin', {})).json as Begun;
  const { token, options } = result.data;
  expect(options.rp.id).toBe(new URL(PUBLIC_URL).hostname);
  const authenticator = anAuthenticator(PUBLIC_URL);
  const credential = authenticator.create(options);
  const added = await visitor.post('/console/api/passkeys.add', { token, name: 'Phone', credential });
  expect(added.status).toBe(200);
  return authenticator;
}

async function enter(visitor: Visitor, authenticator: TestAuthenticator) {
  const { json } = await visitor.post('/console/api/sign-in/passkey/begin', {});
  return visitor.post('/console/api/sign-in/passkey', authenticator.get(json as { challenge: string }));
}

const ageOf = (sub: string, hours: number) =>
  alter(
    service.databaseUrl,
    `update staff_identity set signed_in_at = now() - make_interval(hours => $2) where subject = $1`,
    [sub, hours],
  );

const NEEDS_PROVIDER = [401, problemOf('passkey_refused', { refusal: 'passkey_needs_provider' })];

// Whom the provider has ended would enter for ever.
test('a passkey enters within 12 hours of the last sign-in with the provider, and not after', async () => {
  const authenticator = await aPerson('often');
  await ageOf('often', 11);
  const visitor = aVisitor(service);
  expect((await enter(visitor, authenticator)).status).toBe(200);
  expect(Object.keys(visitor.cookies())).toEqual(['__Host-iv_session']);
  await ageOf('often', 12);
  const late = await enter(aVisitor(service), authenticator);
  expect([late.status, late.json]).toEqual(NEEDS_PROVIDER);
  // The passkey's own sign-in is not the provider's.
  provider.person = { sub: 'often', groups: ['verifiers'] };
  await aVisitor(service).signIn();
  expect((await enter(aVisitor(service), authenticator)).status).toBe(200);
});

test('the provider’s logout ends the passkey’s sessions, and lets it begin none', async () => {
  const authenticator = await aPerson('logged-out');
  const visitor = aVisitor(service);
  await enter(visitor, authenticator);
  const [session] = await rows<{ sid: string }>(
    service.databaseUrl,
    `select provider_sid as sid from staff_session join staff_identity using (staff_id)
     where subject = 'logged-out' and provider_sid is not null`,
  );
  const token = await provider.logoutToken({ sub: 'logged-out', sid: session?.sid });
  const answer = await service.ask('POST', '/console/back-channel-logout', {
    key: null,
    body: new URLSearchParams({ logout_token: token }).toString(),
    headers: {
      host: new URL(PUBLIC_URL).host,
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
  expect(answer.status).toBe(200);
  expect((await visitor.get('/console/api/sessions.me')).status).toBe(401);
  const again = await enter(visitor, authenticator);
  expect([again.status, again.json]).toEqual(NEEDS_PROVIDER);
});

// Broke: who had lost every role at the provider kept them through a passkey.
test('a person who has lost every role at the provider enters with no passkey', async () => {
  const authenticator = await aPerson('moved-on');
  provider.person = { sub: 'moved-on', groups: [] };
  expect((await aVisitor(service).signIn()).searchParams.get('failed')).toBe('no_role');
  const answer = await enter(aVisitor(service), authenticator);
  expect([answer.status, answer.json]).toEqual(NEEDS_PROVIDER);
});
