import type { Scope } from '@insurance-verification/schema';
import { type OperationName, OPERATIONS } from '@insurance-verification/schema/contract';
import { freePort } from '@insurance-verification/testing/free-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../a-service.ts';
import { PROMISED } from '../promised.ts';
import { alter } from '../rows.ts';
import { consoleTransport, inputOf, operationNames } from '../transports.ts';
import { aSession, BEHIND_A_PROXY, type TestSession } from './a-session.ts';
import { aProvider, providerEnv, type TestProvider } from './provider/a-provider.ts';
import { aVisitor, type Visitor } from './provider/a-visitor.ts';

let service: TestService;
let withProvider: TestService;
let provider: TestProvider;
beforeAll(async () => {
  const port = await freePort();
  [service, provider] = await Promise.all([
    startTestService({ env: { ...BEHIND_A_PROXY, ROLES: 'http' } }),
    aProvider({ port }),
  ]);
  const env = { ...BEHIND_A_PROXY, ...providerEnv(port), ROLES: 'http' };
  withProvider = await startTestService({ env, databaseUrl: service.databaseUrl });
});
afterAll(() => Promise.all([service.stop(), withProvider.stop(), provider.stop()]));

const ASKS = operationNames.filter((operation) => PROMISED[operation].asksFreshSignIn);

const REQUIRED = [403, consoleTransport.problem('fresh_sign_in_required')];

async function anOldSession(): Promise<TestSession> {
  const session = await aSession(service, { roles: ['admin', 'auditor', 'operator', 'privacy'] });
  await alter(
    service.databaseUrl,
    `update staff_session set proven_at = now() - interval '15 minutes 1 second' where id = $1`,
    [session.session_id],
  );
  return session;
}

const HELD: ReadonlySet<Scope> = new Set(['admin', 'audit', 'operate', 'privacy']);

test('what makes or ends access, or delivers what was held, asks for a sign-in of the last 15 minutes, and nothing else does', async () => {
  const { asked } = await anOldSession();
  const refused: OperationName[] = [];
  for (const operation of operationNames) {
    if (!OPERATIONS[operation].scopes.some((scope) => HELD.has(scope))) continue;
    const answer = await consoleTransport.call(service, operation, inputOf(operation), asked);
    if (answer.status !== 403) continue;
    expect([answer.status, answer.json]).toEqual(REQUIRED);
    refused.push(operation);
  }
  // Emergency access asks as well, for the session that asks: see break-glass.test.ts.
  expect(new Set(refused)).toEqual(new Set(ASKS));
});

test('a sign-in of just now does, and says until when', async () => {
  const { asked } = await aSession(service, { roles: ['admin'] });
  const made = await consoleTransport.call(
    service,
    'accounts.create',
    { name: 'A', kind: 'provider' },
    asked,
  );
  expect(made.status).toBe(200);
  const me = consoleTransport.output<{ session: { fresh_until: string } }>(
    await consoleTransport.call(service, 'sessions.me', {}, asked),
  );
  const minutes = (Date.parse(me.session.fresh_until) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(14.5);
  expect(minutes).toBeLessThanOrEqual(15);
});

// A script has no one to ask.
test('a key does not meet the rule', async () => {
  expect((await service.ask('POST', '/keys', { body: {} })).status).toBe(422);
});

/** The status of something that asks for a fresh sign-in. */
const statusOf = async (visitor: Visitor) => (await visitor.post('/console/api/keys.create', {})).status;

test('with a provider, a sign-in is as old as the provider says', async () => {
  provider.person = { sub: 'remembered', groups: ['admins'], since: 16 * 60 };
  const visitor = aVisitor(withProvider);
  await visitor.signIn();
  expect(await statusOf(visitor)).toBe(403);
  provider.person = { ...provider.person, since: 0 };
  expect((await visitor.signIn({ fresh: true })).pathname).toBe('/console');
  expect(Object.fromEntries(provider.asked)).toMatchObject({ prompt: 'login', max_age: '900' });
  expect(await statusOf(visitor)).toBe(422);
});

// Whoever sits down at an open browser would pass the question with what the provider remembers.
test('a provider that does not ask again makes no sign-in fresh', async () => {
  provider.person = { sub: 'lazy', groups: ['admins'], since: 16 * 60 };
  const visitor = aVisitor(withProvider);
  const change = (url: URL) => ['prompt', 'max_age'].forEach((name) => url.searchParams.delete(name));
  const url = await visitor.signIn({ fresh: true, to: '/console/signed-in' }, { change });
  expect(Object.fromEntries(url.searchParams)).toEqual({ failed: 'not_fresh', to: '/console/signed-in' });
});
