import { expect, test } from 'vitest';
import { useService } from '../../a-service.ts';
import { rows } from '../../rows.ts';
import { consoleTransport } from '../../transports.ts';
import { aSession, BEHIND_A_PROXY } from '../a-session.ts';
import { aPasskey, asked, begin, originOf, register, signInWith } from './a-passkey.ts';
import { anAuthenticator } from './an-authenticator.ts';

const service = useService({ env: { ...BEHIND_A_PROXY, ROLES: 'http' } });

const fault = (name: string, type: string) =>
  expect.objectContaining({ detail: [{ loc: ['body', name], msg: expect.any(String), type }] });
const errorOf = (answer: { json: unknown }) => (answer.json as { error: { data: unknown } }).error.data;

test('what the browser is asked makes a passkey that is found by itself, once an authenticator', async () => {
  const { staff_id, authenticator, ...session } = await aPasskey(service, { name: 'Ada Jones' });
  const { options } = await begin(service, { staff_id, ...session });
  expect(options).toMatchObject({
    rp: { id: 'localhost', name: 'Insurance Verification' },
    user: { id: Buffer.from(staff_id).toString('base64url'), name: 'Ada Jones', displayName: 'Ada Jones' },
    attestation: 'none',
    timeout: 300_000,
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: [{ id: authenticator.id, type: 'public-key', transports: ['internal'] }],
  });
});

test.each([
  ['made at another address', { origin: 'https://verify.example.org' }, 'passkey_elsewhere'],
  ['made for another name', { rpId: 'verify.example.org' }, 'passkey_invalid'],
  ['whose user nobody checked', { isUnverified: true }, 'passkey_unverified'],
] as const)('a passkey %s is not registered', async (_, wrong, type) => {
  const session = await aSession(service, {});
  const answer = await register(service, session, anAuthenticator(originOf(service)), wrong);
  expect([answer.status, errorOf(answer)]).toEqual([422, fault('credential', type)]);
});

test('what passkeys.begin answered works once, in the session that asked, for five minutes', async () => {
  const [session, other] = [await aSession(service, {}), await aSession(service, {})];
  const { token, options } = await begin(service, session);
  const body = () => ({
    token,
    name: 'Phone',
    credential: anAuthenticator(originOf(service)).create(options),
  });
  const add = (by: typeof session) =>
    consoleTransport.call(service, 'passkeys.add', body(), asked(by, service));
  const foreign = await add(other);
  expect([foreign.status, errorOf(foreign)]).toEqual([422, fault('token', 'passkey_expired')]);
  expect((await add(session)).status).toBe(200);
  const again = await add(session);
  expect([again.status, errorOf(again)]).toEqual([422, fault('token', 'passkey_used')]);
});

test('one credential is one person’s', async () => {
  const { authenticator, ...owner } = await aPasskey(service);
  const thief = await aSession(service, {});
  for (const session of [owner, thief]) {
    const answer = await register(service, session, authenticator);
    expect([answer.status, errorOf(answer)]).toEqual([422, fault('credential', 'passkey_taken')]);
  }
});

test('a person sees and removes only their own', async () => {
  const { passkey_id, staff_id, authenticator } = await aPasskey(service);
  const other = await aSession(service, { roles: ['operator', 'privacy'] });
  const listed = await consoleTransport.call(service, 'passkeys.list', { staff_id }, other.asked);
  expect(consoleTransport.output(listed)).toEqual({ items: [] });
  const ended = await consoleTransport.call(service, 'passkeys.end', { passkey_id }, other.asked);
  expect([ended.status, ended.json]).toEqual([404, consoleTransport.problem('not_found')]);
  expect((await signInWith(service, authenticator)).status).toBe(200);
});

test('an admin lists the passkeys of a person, and removes a lost one, which the audit says', async () => {
  const { passkey_id, staff_id, authenticator } = await aPasskey(service);
  const admin = await aSession(service, { roles: ['admin'] });
  const listed = await consoleTransport.call(service, 'passkeys.list', { staff_id }, admin.asked);
  expect(consoleTransport.output(listed)).toMatchObject({ items: [{ passkey_id, name: 'Laptop' }] });
  const own = await consoleTransport.call(service, 'passkeys.list', {}, admin.asked);
  expect(consoleTransport.output(own)).toEqual({ items: [] });
  const ended = await consoleTransport.call(service, 'passkeys.end', { passkey_id }, admin.asked);
  expect(ended.status).toBe(200);
  expect((await signInWith(service, authenticator)).status).toBe(401);
  const [line] = await rows(
    service.databaseUrl,
    `select key_id, details from access_log where operation = 'passkeys.end' and subject_id = $1`,
    [passkey_id],
  );
  expect(line).toEqual({
    key_id: admin.staff_id,
    details: JSON.stringify({ before: { staff_id }, after: {} }),
  });
});

test('a person has 20 at most', async () => {
  const session = await aSession(service, {});
  for (let count = 0; count < 20; count += 1)
    expect((await register(service, session, anAuthenticator(originOf(service)))).status).toBe(200);
  const answer = await register(service, session, anAuthenticator(originOf(service)));
  expect([answer.status, errorOf(answer)]).toEqual([
    422,
    {
      code: 'UNPROCESSABLE_CONTENT',
      httpStatus: 422,
      detail: [{ loc: ['body'], msg: expect.stringContaining('20 passkeys'), type: 'too_many_passkeys' }],
    },
  ]);
});

// Whoever writes to the database alone must not make themselves a way in as somebody else.
test('a passkey that was given to somebody else in the database begins no session', async () => {
  const { passkey_id, authenticator } = await aPasskey(service);
  const { staff_id } = await aSession(service, { roles: ['admin'] });
  await rows(service.databaseUrl, 'update passkey set staff_id = $1 where id = $2', [staff_id, passkey_id]);
  const answer = await signInWith(service, authenticator, { userId: staff_id });
  expect(answer.status).toBe(500);
});

test('all that happens to them is in the audit, under their person', async () => {
  const { passkey_id, staff_id, authenticator, ...session } = await aPasskey(service);
  await consoleTransport.call(service, 'passkeys.list', {}, session.asked);
  await signInWith(service, authenticator);
  await consoleTransport.call(
    service,
    'passkeys.end',
    { passkey_id },
    asked({ staff_id, ...session }, service),
  );
  const lines = await rows<{ operation: string; subject_id: string | null }>(
    service.databaseUrl,
    `select operation, subject_id from access_log where key_id = $1 and operation ~ '^(passkeys|sessions)\\.' order by id`,
    [staff_id],
  );
  expect(lines).toEqual([
    { operation: 'sessions.signIn', subject_id: session.session_id },
    { operation: 'passkeys.begin', subject_id: null },
    { operation: 'passkeys.add', subject_id: passkey_id },
    { operation: 'passkeys.list', subject_id: null },
    { operation: 'sessions.signIn', subject_id: expect.stringMatching(/^ses_/) },
    { operation: 'passkeys.end', subject_id: passkey_id },
  ]);
});
