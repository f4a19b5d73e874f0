import {
  type AddedStaff,
  type AddStaff,
  type Erasure,
  type Myself,
  problemOf,
  type SignInRefusal,
  type StaffLink,
  type StaffList,
} from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useService } from '../../a-service.ts';
import { aStoredRequest } from '../../a-stored-request.ts';
import { alter, rows } from '../../rows.ts';
import { aClient, BEHIND_A_PROXY } from '../a-session.ts';
import { PUBLIC_URL } from '../provider/a-provider.ts';
import { aVisitor, type Visitor } from '../provider/a-visitor.ts';
import {
  anAuthenticator,
  type CreationOptions,
  type TestAuthenticator,
  type Wrong,
} from './an-authenticator.ts';

// As an office without an identity provider runs it: https at a proxy, and no other way in.
const service = useService({ env: { ...BEHIND_A_PROXY, PUBLIC_URL, SIGN_IN: 'passkeys', ROLES: 'http' } });

const LINK_NOT_VALID = [401, problemOf('link_not_valid')];
const refused = (refusal: SignInRefusal) => [401, problemOf('passkey_refused', { refusal })];

/** An invited person, with the token of the invitation. */
async function anInvited(person: Partial<AddStaff> = {}) {
  const body = { name: 'Ada Jones', roles: ['verifier'], ...person };
  const { json } = await service.ask('POST', '/staff', { body, headers: aClient() });
  const { link, ...added } = json as AddedStaff;
  return { ...added, link, token: link?.path.split('#')[1] ?? '' };
}

const begin = (visitor: Visitor, token: string) =>
  visitor.post('/console/api/sign-in/link/passkey', { token });

/** Makes a passkey for an invitation, and sends it in. */
async function accept(
  visitor: Visitor,
  token: string,
  {
    authenticator = anAuthenticator(PUBLIC_URL),
    wrong,
  }: { authenticator?: TestAuthenticator; wrong?: Wrong } = {},
) {
  const { json } = await begin(visitor, token);
  return finish(visitor, { token, credential: authenticator.create(json as CreationOptions, wrong) });
}

const finish = (visitor: Visitor, body: { readonly token: string; readonly credential: object }) =>
  visitor.post('/console/api/sign-in', body);

async function enter(visitor: Visitor, authenticator: TestAuthenticator) {
  const { json } = await visitor.post('/console/api/sign-in/passkey/begin', {});
  return visitor.post('/console/api/sign-in/passkey', authenticator.get(json as { challenge: string }));
}

test('an invitation names its person, makes their passkey, and begins a session that is fresh', async () => {
  const { staff_id, link, token } = await anInvited({ roles: ['admin'] });
  expect(link?.url).toBe(`${PUBLIC_URL}/console/sign-in#${token}`);
  expect(Date.parse(link?.expires_at ?? '') - Date.now()).toBeCloseTo(72 * 3_600_000, -5);
  const visitor = aVisitor(service);
  expect((await visitor.get('/console/api/sign-in')).json).toEqual({
    way: 'passkey',
    provider: null,
    passkeys: true,
  });
  expect((await visitor.post('/console/api/sign-in/link', { token })).json).toEqual({
    name: 'Ada Jones',
    account_name: null,
    replaces: null,
  });
  const begun = await begin(visitor, token);
  expect(begun.json).toMatchObject({
    rp: { id: new URL(PUBLIC_URL).hostname },
    user: { id: Buffer.from(staff_id).toString('base64url'), name: 'Ada Jones' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [],
  });
  const authenticator = anAuthenticator(PUBLIC_URL);
  const answer = await accept(visitor, token, { authenticator });
  expect([answer.status, (answer.json as Myself).id]).toEqual([200, staff_id]);
  expect(Object.keys(visitor.cookies())).toEqual(['__Host-iv_session']);
  // What makes access asks for a fresh sign-in, which this is.
  expect((await visitor.post('/console/api/accounts.create', { name: 'Made' })).status).toBe(200);
  const later = await enter(aVisitor(service), authenticator);
  expect([later.status, (later.json as Myself).id]).toEqual([200, staff_id]);
});

// Without it an administrator would not see who was invited and never came.
test('the list of people says until when somebody is invited, how many passkeys they have, and when they were seen', async () => {
  const { staff_id, link, token } = await anInvited();
  const listed = async () => {
    const { items } = await service.answer<StaffList>('GET', '/staff?limit=100');
    const found = items.find((one) => one.staff_id === staff_id) ?? expect.fail();
    return [found.invited_until, found.passkey_count, found.last_seen_at];
  };
  expect(await listed()).toEqual([link?.expires_at, 0, null]);
  await accept(aVisitor(service), token);
  expect(await listed()).toEqual([null, 1, expect.stringMatching(/Z$/)]);
  const [, , seenAt] = await listed();
  // A session is removed once it is over; the person was seen all the same.
  await alter(service.databaseUrl, 'delete from staff_session where staff_id = $1', [staff_id]);
  expect(Math.abs(Date.parse(String((await listed())[2])) - Date.parse(String(seenAt)))).toBeLessThan(60_000);
});

test('an invitation works once, of two at once for one of them', async () => {
  const { token, staff_id } = await anInvited();
  const [one, other] = [aVisitor(service), aVisitor(service)];
  const begun = [await begin(one, token), await begin(other, token)]; // both, before either is in
  const [first, second] = begun.map(({ json }) =>
    anAuthenticator(PUBLIC_URL).create(json as CreationOptions),
  );
  const answers = await Promise.all([
    finish(one, { token, credential: first ?? {} }),
    finish(other, { token, credential: second ?? {} }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  const again = await begin(other, token);
  expect([again.status, again.json]).toEqual(LINK_NOT_VALID);
  expect(await rows(service.databaseUrl, 'select from passkey where staff_id = $1', [staff_id])).toHaveLength(
    1,
  );
  const [line] = await rows(
    service.databaseUrl,
    `select outcome, details from access_log where operation = 'sessions.signIn' order by id desc limit 1`,
  );
  expect(line).toEqual({
    outcome: 'refused',
    details: JSON.stringify({ way: 'link', refusal: 'link_not_valid' }),
  });
});

// Who reads an invitation in a mailbox would otherwise be in without a passkey.
test('an invitation without a passkey signs no one in', async () => {
  const { token } = await anInvited();
  const answer = await aVisitor(service).post('/console/api/sign-in', { token });
  expect(answer.status).toBe(422);
  expect((await accept(aVisitor(service), token)).status).toBe(200);
});

test('an invitation that is too old, or whose person has ended, makes nothing', async () => {
  const [old, left] = [await anInvited(), await anInvited()];
  await alter(service.databaseUrl, 'update sign_in_link set expires_at = now() where staff_id = $1', [
    old.staff_id,
  ]);
  await service.answer('POST', `/staff/${left.staff_id}/end`);
  for (const { token } of [old, left, { token: 'x' }]) {
    const answer = await begin(aVisitor(service), token);
    expect([answer.status, answer.json]).toEqual(LINK_NOT_VALID);
  }
});

test.each([
  ['at another address', { origin: 'https://verify.example.org' }, 'passkey_elsewhere'],
  ['for another name', { rpId: 'verify.example.org' }, 'passkey_invalid'],
  ['without checking its user', { isUnverified: true }, 'passkey_unverified'],
] as const)('a passkey made %s is refused, and the invitation stays', async (_, wrong, refusal) => {
  const { token } = await anInvited();
  const visitor = aVisitor(service);
  const answer = await accept(visitor, token, { wrong });
  expect([answer.status, answer.json]).toEqual(refused(refusal));
  expect((await accept(visitor, token)).status).toBe(200);
});

test('a challenge is of one browser and one invitation, works once, and for five minutes', async () => {
  const [mine, other] = [await anInvited(), await anInvited()];
  const visitor = aVisitor(service);
  const options = (await begin(visitor, mine.token)).json as CreationOptions;
  const { '__Host-iv_passkey': cookie = '' } = visitor.cookies();
  const send = async (by: Visitor, token: string) => {
    by.setCookie('__Host-iv_passkey', cookie);
    const credential = anAuthenticator(PUBLIC_URL).create(options);
    const { status, json } = await by.post('/console/api/sign-in', { token, credential });
    return [status, json];
  };
  expect(await send(visitor, other.token)).toEqual(refused('passkey_expired'));
  expect((await send(visitor, mine.token))[0]).toBe(200);
  expect(await send(aVisitor(service), mine.token)).toEqual(refused('passkey_used'));
  const late = aVisitor(service);
  await begin(late, other.token);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() + 5 * 60_000);
  const credential = anAuthenticator(PUBLIC_URL).create(options);
  const answer = await late.post('/console/api/sign-in', { token: other.token, credential });
  expect([answer.status, answer.json]).toEqual(refused('passkey_expired'));
});

test('a passkey that is registered already is no first one, and the invitation stays', async () => {
  const authenticator = anAuthenticator(PUBLIC_URL);
  await accept(aVisitor(service), (await anInvited()).token, { authenticator });
  const { token } = await anInvited();
  const answer = await accept(aVisitor(service), token, { authenticator });
  expect([answer.status, answer.json]).toEqual(refused('passkey_taken'));
  expect((await accept(aVisitor(service), token)).status).toBe(200);
});

test('who lost a passkey is invited again: the lost one is not asked for, and ends', async () => {
  const { staff_id, token } = await anInvited();
  const lost = anAuthenticator(PUBLIC_URL);
  await accept(aVisitor(service), token, { authenticator: lost });
  const again =
    (await service.answer<StaffLink>('POST', `/staff/${staff_id}/link`)).link?.path.split('#')[1] ?? '';
  const admin = aVisitor(service);
  await accept(admin, (await anInvited({ roles: ['admin'] })).token);
  const listed = await admin.get(
    `/console/api/passkeys.list?input=${encodeURIComponent(JSON.stringify({ staff_id }))}`,
  );
  const { items } = (listed.json as { result: { data: { items: { passkey_id: string }[] } } }).result.data;
  const passkey_id = items[0]?.passkey_id;
  expect((await admin.post('/console/api/passkeys.end', { passkey_id })).status).toBe(200);
  const visitor = aVisitor(service);
  expect((await begin(visitor, again)).json).toMatchObject({ excludeCredentials: [] });
  const found = anAuthenticator(PUBLIC_URL);
  expect((await accept(visitor, again, { authenticator: found })).status).toBe(200);
  const answer = await enter(aVisitor(service), lost);
  expect([answer.status, answer.json]).toEqual(refused('passkey_unknown'));
  expect((await enter(aVisitor(service), found)).status).toBe(200);
});

// An administrator could otherwise confirm what they asked for as somebody else, with a passkey of their own.
test('the maker of an invitation who takes it up is not the second person, and the audit says whose it was', async () => {
  const admin = aVisitor(service);
  const asker = await anInvited({ roles: ['admin', 'privacy'] });
  await accept(admin, asker.token);
  const { staff_id } = await anInvited({ roles: ['privacy'] });
  const made = await admin.post('/console/api/staff.link', { staff_id });
  const { link } = (made.json as { result: { data: StaffLink } }).result.data;
  const pretender = aVisitor(service);
  const authenticator = anAuthenticator(PUBLIC_URL);
  const me = (await accept(pretender, link?.path.split('#')[1] ?? '', { authenticator })).json as Myself;
  const later = aVisitor(service);
  await enter(later, authenticator);
  const { request_id } = await aStoredRequest(service);
  const asked = await admin.post('/console/api/requests.erase', { request_id, reason: 'wrong_patient' });
  const { erasure_id } = (asked.json as { result: { data: Erasure } }).result.data;
  const member_id_ending = aRequest().patient_info.subscriber_id.slice(-4);
  for (const visitor of [pretender, later]) {
    const answer = await visitor.post('/console/api/erasures.confirm', { erasure_id, member_id_ending });
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('link_of_asker')]);
  }
  const [line] = await rows<{ details: string }>(
    service.databaseUrl,
    'select details from access_log where subject_id = $1',
    [me.session?.session_id],
  );
  expect(JSON.parse(line?.details ?? '{}')).toEqual({
    link_by: [asker.staff_id, expect.stringMatching(/^key_/)],
  });
});

test('tries with wrong invitations are limited by address', async () => {
  const visitor = aVisitor(service);
  const statuses = [];
  for (let count = 0; count < 11; count += 1) statuses.push((await begin(visitor, 'x')).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
});
