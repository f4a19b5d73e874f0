import type { Myself } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { aService, useService } from '../a-service.ts';
import { alter, rows } from '../rows.ts';
import { consoleTransport } from '../transports.ts';
import { aClient, aPerson, aSession, BEHIND_A_PROXY, cookieOf, OWN_PAGE, signIn } from './a-session.ts';

const service = useService({ env: BEHIND_A_PROXY });

const LINK_NOT_VALID = {
  type: '/docs/problems/link_not_valid',
  title: 'Link not valid',
  status: 401,
  detail: 'The link is unknown, has been used already, or is too old.',
  code: 'link_not_valid',
};

// Without it the person who starts the service could not get into its console.
test('the link of a start signs the first person in, with every role', async () => {
  const answer = await signIn(service, service.firstLink);
  expect(answer.status).toBe(200);
  const me = answer.json as Myself;
  expect(me).toMatchObject({
    id: 'stf_00000000000000000000000000',
    roles: ['viewer', 'requester', 'verifier', 'operator', 'admin', 'auditor', 'privacy'],
    account_id: 'acct_00000000000000000000000000',
    read_scopes: [],
  });
  const asked = { key: null, headers: { ...OWN_PAGE, cookie: cookieOf(answer) } };
  const asSignedIn = await consoleTransport.call(service, 'sessions.me', {}, asked);
  expect(consoleTransport.output<Myself>(asSignedIn)).toEqual(me);
});

// A page must not read it, and a page on another port must not get it accepted.
test('the cookie is of this port and of the console, only for the browser', async () => {
  const { token } = await aPerson(service, {});
  const { headers } = await signIn(service, token);
  const { port } = new URL(service.url);
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(
      new RegExp(String.raw`^iv_session_${port}=[\w-]{43}; path=/console; samesite=lax; httponly$`),
    ),
  ]);
});

// Any site can open a link in a person's browser: the page asks first, and names whom it is for.
test('a look at a link names its person, account and whose session it would end, and uses nothing up', async () => {
  const { account_id } = await anAccount(service, { name: 'Bayside Dental' });
  const { token } = await aPerson(service, { name: 'Ada Jones', account_id });
  const look = (headers: Record<string, string> = {}) =>
    service.ask('POST', '/console/api/sign-in/link', {
      key: null,
      body: { token },
      headers: { ...OWN_PAGE, ...aClient(), ...headers },
    });
  const ada = { name: 'Ada Jones', account_name: 'Bayside Dental' };
  expect((await look()).json).toEqual({ ...ada, replaces: null });
  const bob = await aSession(service, { name: 'Bob Reed' });
  const seen = await look(bob.asked.headers);
  expect([seen.json, seen.headers['set-cookie']]).toEqual([{ ...ada, replaces: 'Bob Reed' }, undefined]);
  expect((await consoleTransport.call(service, 'sessions.me', {}, bob.asked)).status).toBe(200);
  expect((await signIn(service, token)).status).toBe(200);
  const used = await look();
  expect([used.status, used.json]).toEqual([401, LINK_NOT_VALID]);
});

test('a link signs in once, also when it is opened twice at the same time', async () => {
  const { token } = await aPerson(service, {});
  const answers = await Promise.all([signIn(service, token), signIn(service, token)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  const again = await signIn(service, token);
  expect([again.status, again.json]).toEqual([401, LINK_NOT_VALID]);
  expect(again.headers['set-cookie']).toBeUndefined();
});

// Broke: the audit had who came in, and nobody who tried to.
test('a refused sign-in is on record, with where it came from', async () => {
  const client = aClient();
  await signIn(service, 'A'.repeat(43), client);
  const [line] = await rows(
    service.databaseUrl,
    `select key_id, operation, outcome, details, address from access_log where outcome = 'refused' order by id desc limit 1`,
  );
  expect(line).toEqual({
    key_id: null,
    operation: 'sessions.signIn',
    outcome: 'refused',
    details: '{"way":"link","refusal":"link_not_valid"}',
    address: Object.values(client)[0],
  });
});

test.each(['', 'x', 'A'.repeat(43), '\0'.repeat(43), `${'A'.repeat(43)}\n`])(
  '%j is no link',
  async (token) => {
    const answer = await signIn(service, token);
    expect([answer.status, answer.json]).toEqual([401, LINK_NOT_VALID]);
  },
);

test('a link that is older than 30 minutes is refused', async () => {
  const { token, staff_id } = await aPerson(service, {});
  const [link] = await rows<{ minutes: number }>(
    service.databaseUrl,
    `select round(extract(epoch from expires_at - now()) / 60)::int as minutes from sign_in_link where staff_id = $1`,
    [staff_id],
  );
  expect(link?.minutes).toBe(30);
  await alter(service.databaseUrl, 'update sign_in_link set expires_at = now() where staff_id = $1', [
    staff_id,
  ]);
  expect((await signIn(service, token)).json).toEqual(LINK_NOT_VALID);
});

test('a body that is no token is answered with where it is wrong', async () => {
  const wrong = await signIn(service, 7);
  expect([wrong.status, wrong.json]).toEqual([
    422,
    { detail: [{ loc: ['body', 'token'], msg: 'Input should be a valid string', type: 'string_type' }] },
  ]);
  const headers = { ...OWN_PAGE, ...aClient() };
  const none = await service.ask('POST', '/console/api/sign-in', { key: null, headers });
  expect([none.status, none.json]).toEqual([
    422,
    { detail: [{ loc: ['body'], msg: 'Field required', type: 'missing' }] },
  ]);
  const large = await signIn(service, 'x'.repeat(2_000));
  expect(large.status).toBe(413);
});

// Without it a sign-in on a shared machine would leave the previous person's session open.
test('signing in ends the session that the browser had, and the new one has another secret', async () => {
  const before = await aSession(service, { name: 'Before' });
  const { token } = await aPerson(service, { name: 'After' });
  const cookie = before.asked.headers['cookie'] ?? '';
  const answer = await signIn(service, token, { cookie });
  expect(answer.json).toMatchObject({ name: 'After' });
  expect(cookieOf(answer)).not.toBe(cookie);
  expect((await consoleTransport.call(service, 'sessions.me', {}, before.asked)).status).toBe(401);
});

test('signing out ends the session, and takes the cookie away', async () => {
  const { asked } = await aSession(service, {});
  for (const _ of ['once', 'again']) {
    const answer = await service.ask('POST', '/console/api/sign-out', asked);
    expect([answer.status, answer.json]).toEqual([200, { status: 'signed_out' }]);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^iv_session_\d+=; path=\/console; expires=Thu, 01 Jan 1970/),
    ]);
  }
  expect((await consoleTransport.call(service, 'sessions.me', {}, asked)).status).toBe(401);
});

// Nobody guesses 256 bits; the limit bounds the work of refusing.
test('an address tries ten links a minute, and makes ten', async () => {
  const client = aClient();
  const tries = [];
  for (let count = 0; count < 11; count += 1) tries.push(await signIn(service, 'A'.repeat(43), client));
  expect(tries.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  expect(tries.at(-1)?.json).toMatchObject({ code: 'rate_limited', violated_policies: ['sign-in'] });
  expect(Number(tries.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
  const { staff_id } = await aPerson(service, {});
  const made = [];
  for (let count = 0; count < 11; count += 1)
    made.push(await service.ask('POST', `/staff/${staff_id}/link`, { headers: client }));
  expect(made.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  expect(made.at(-1)?.json).toMatchObject({ violated_policies: ['sign-in-links'] });
  const body = { name: 'One too many', roles: ['viewer'] };
  expect((await service.ask('POST', '/staff', { body, headers: client })).status).toBe(429);
  const found = await rows(service.databaseUrl, `select from staff where name = '"One too many"'`);
  expect(found).toEqual([]);
});

// Broke: an address had ten tries a minute, and an office of twelve could not sign in at eight o'clock.
test('an office signs in from one address, and wrong tries of the address refuse no right link', async () => {
  const client = aClient();
  const look = (token: string) =>
    service.ask('POST', '/console/api/sign-in/link', {
      key: null,
      body: { token },
      headers: { ...OWN_PAGE, ...client },
    });
  const wrong = [];
  for (let count = 0; count < 12; count += 1)
    wrong.push((await signIn(service, `${count}`.padEnd(43, 'A'), client)).status);
  expect(wrong).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  for (let count = 0; count < 12; count += 1) {
    const { token } = await aPerson(service, {});
    expect([(await look(token)).status, (await signIn(service, token, client)).status]).toEqual([200, 200]);
  }
  const { token } = await aPerson(service, {});
  const looks = [];
  for (let count = 0; count < 11; count += 1) looks.push((await look(token)).status);
  expect(looks).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
});

// A token in a log or a dump would let its reader in.
test('neither the log nor the database holds a token', async () => {
  const { token } = await aPerson(service, {});
  await signIn(service, token);
  const unused = await aPerson(service, {});
  const session = await aSession(service, {});
  const cookie = session.asked.headers['cookie']?.split('=')[1] ?? '';
  const secrets = [token, unused.token, cookie, OWN_PAGE['origin-secret']];
  const stored = await rows<{ text: string }>(
    service.databaseUrl,
    `select string_agg(line, e'\\n') as text from (
       select encode(hash, 'escape') || encode(hash, 'base64') as line from sign_in_link
       union all select to_jsonb(s)::text || encode(hash, 'escape') || encode(hash, 'base64')
         || encode(origin_hash, 'escape') || encode(origin_hash, 'base64') from staff_session as s
       union all select to_jsonb(a)::text from access_log as a) as lines`,
  );
  for (const secret of secrets) {
    expect(secret).toHaveLength(43);
    expect(stored[0]?.text).not.toContain(secret);
    expect(service.logLines.join('\n')).not.toContain(secret);
  }
});

test('who signs in and out is on record', async () => {
  const { session_id, staff_id, asked } = await aSession(service, {});
  await service.ask('POST', '/console/api/sign-out', asked);
  const lines = await rows(
    service.databaseUrl,
    'select operation, key_id, account_id, subject_id from access_log where key_id = $1 order by id',
    [staff_id],
  );
  const person = { key_id: staff_id, account_id: 'acct_00000000000000000000000000' };
  expect(lines).toEqual([
    { ...person, operation: 'sessions.signIn', subject_id: session_id },
    { ...person, operation: 'sessions.signOut', subject_id: session_id },
  ]);
});

// Without an identity provider a link is the only way in, and too weak for a network.
test.each([{ HOST: '0.0.0.0' }, { HOST: '::' }])('with %o there is no console', async (env) => {
  const open = await aService({ env });
  expect(open.firstLink).toBeNull();
  const url = `http://127.0.0.1:${new URL(open.url).port}`;
  const headers = { ...OWN_PAGE, 'x-key': 'k' };
  for (const path of ['sign-in', 'sign-out', 'sessions.me', 'requests.list']) {
    const { status } = await fetch(`${url}/console/api/${path}`, { method: 'POST', headers, body: '{}' });
    expect([path, status]).toEqual([path, 404]);
  }
  const added = await open.ask('POST', '/staff', { body: { name: 'Ada', roles: ['verifier'] } });
  expect([added.status, (added.json as { link: unknown }).link]).toEqual([200, null]);
});
