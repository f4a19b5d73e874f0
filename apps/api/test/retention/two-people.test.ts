import type {
  AddedStaff,
  AuditList,
  CreatedApiKey,
  Erasure,
  Myself,
  StaffLink,
  StaffRole,
} from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';
import { aRequest } from '@insurance-verification/testing/a-request';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { BOOTSTRAP_KEY, startTestService, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { alter, rows } from '../rows.ts';
import type { Answer } from '../send.ts';
import {
  aClient,
  aSession,
  BEHIND_A_PROXY,
  callsOf,
  cookieOf,
  OWN_PAGE,
  signIn,
  type TestSession,
} from '../staff/a-session.ts';

let service: TestService;
let ada: TestSession;
const ENDING = aRequest().patient_info.subscriber_id.slice(-4);
const ROLES: StaffRole[] = ['admin', 'privacy'];
beforeAll(async () => {
  service = await startTestService({ env: { ...BEHIND_A_PROXY, ROLES: 'http' } });
  ada = await aSession(service, { roles: ROLES });
});
afterAll(() => service.stop());

const call = callsOf(() => service);

/** Calls as a person in a session, or with a key. */
async function as<T>(who: TestSession | string, operation: OperationName, input: object): Promise<T> {
  const answer = await ask(who, operation, input);
  if (answer.status !== 200) throw new Error(`${operation} answered ${answer.status}: ${answer.text}`);
  return (
    typeof who === 'string' ? answer.json : (answer.json as { result: { data: unknown } }).result.data
  ) as T;
}

const PATHS: Partial<Record<OperationName, (input: Record<string, string>) => string>> = {
  'staff.add': () => '/staff',
  'staff.link': ({ staff_id }) => `/staff/${staff_id}/link`,
  'requests.erase': ({ request_id }) => `/requests/${request_id}/erase`,
};

async function ask(who: TestSession | string, operation: OperationName, input: object): Promise<Answer> {
  if (typeof who !== 'string') return call(who, operation, input, aClient());
  const path = PATHS[operation]?.(input as Record<string, string>) ?? '';
  const { staff_id: _s, request_id: _r, ...body } = input as Record<string, unknown>;
  return service.ask('POST', path, { key: who, body, headers: aClient() });
}

/** A session that a link begins. */
async function enter(link: StaffLink['link']): Promise<TestSession> {
  const answer = await signIn(service, link?.path.split('#')[1]);
  if (answer.status !== 200) throw new Error(answer.text);
  const { id, session } = answer.json as Myself;
  const headers = { ...OWN_PAGE, cookie: cookieOf(answer) };
  return { session_id: session?.session_id ?? '', staff_id: id, asked: { key: null, headers } };
}

const add = (who: TestSession | string) =>
  as<AddedStaff>(who, 'staff.add', { name: 'Ben', roles: ROLES, account_id: null });
const linkOf = async (who: TestSession | string, staff_id: string) =>
  enter((await as<StaffLink>(who, 'staff.link', { staff_id })).link);
/** Somebody whom the first key added and signed in: of no other person. */
const somebody = () => aSession(service, { roles: ROLES });
/** The same person, signed in by a link of the first key. */
async function linkedByNobody(staff_id: string): Promise<TestSession> {
  const { link } = await service.answer<StaffLink>('POST', `/staff/${staff_id}/link`);
  return enter(link);
}

async function keyOf(who: TestSession): Promise<string> {
  const { account_id } = await anAccount(service, { kind: 'platform' });
  const made = await as<CreatedApiKey>(who, 'keys.create', { account_id, scopes: ['admin', 'privacy'] });
  return made.key;
}

/** Who asks, and who confirms. */
type Pair = readonly [asker: TestSession | string, confirmer: TestSession];

const REFUSED: Readonly<Record<string, [because: string, pair: () => Promise<Pair>]>> = {
  'who asked': ['asked_it', async () => [ada, ada]],
  'who asked, in another session': ['asked_it', async () => [ada, await linkedByNobody(ada.staff_id)]],
  'who made the key that asked': ['asked_it', async () => [await keyOf(ada), ada]],
  'who made the key that asked, in a session by a link of theirs': [
    'asked_it',
    async () => [await keyOf(await linkOf(ada, (await somebody()).staff_id)), ada],
  ],
  'a session by a link of who asked': [
    'link_of_asker',
    async () => [ada, await linkOf(ada, (await somebody()).staff_id)],
  ],
  'a session by a link of the key that asked': [
    'link_of_asker',
    async () => {
      const key = await keyOf(ada);
      return [key, await linkOf(key, (await somebody()).staff_id)];
    },
  ],
  'a session by a link of a key of who asked': [
    'link_of_asker',
    async () => [ada, await linkOf(await keyOf(ada), (await somebody()).staff_id)],
  ],
  'a session by a link that was made in a session by a link of who asked': [
    'link_of_asker',
    async () => {
      const other = await linkOf(ada, (await somebody()).staff_id);
      return [ada, await linkOf(other, (await somebody()).staff_id)];
    },
  ],
  'two sessions by links of one person': [
    'link_of_asker',
    async () => [
      await linkOf(ada, (await somebody()).staff_id),
      await linkOf(ada, (await somebody()).staff_id),
    ],
  ],
  'who was added by who asked': [
    'made_by_asker',
    async () => [ada, await linkedByNobody((await add(ada)).staff_id)],
  ],
  'who was added by a key of who asked': [
    'made_by_asker',
    async () => [ada, await linkedByNobody((await add(await keyOf(ada))).staff_id)],
  ],
  'who was added by the key that asked': [
    'made_by_asker',
    async () => {
      const key = await keyOf(ada);
      return [key, await linkedByNobody((await add(key)).staff_id)];
    },
  ],
  'who was added by somebody whom who asked added': [
    'made_by_asker',
    async () => {
      const middle = await linkedByNobody((await add(ada)).staff_id);
      return [ada, await linkedByNobody((await add(middle)).staff_id)];
    },
  ],
  'a session by a link of somebody whom who asked added': [
    'made_by_asker',
    async () => {
      const middle = await linkedByNobody((await add(ada)).staff_id);
      return [ada, await linkOf(middle, (await somebody()).staff_id)];
    },
  ],
  'who made the link by which the asker was signed in': [
    'link_of_confirmer',
    async () => [await linkOf(ada, (await somebody()).staff_id), ada],
  ],
  'who made, by a key, the link by which the asker was signed in': [
    'link_of_confirmer',
    async () => [await linkOf(await keyOf(ada), (await somebody()).staff_id), ada],
  ],
};

async function asked(asker: TestSession | string): Promise<Erasure> {
  const { request_id } = await aStoredRequest(service);
  return as<Erasure>(asker, 'requests.erase', { request_id, reason: 'wrong_patient' });
}

const confirm = (confirmer: TestSession, { erasure_id }: Erasure) =>
  ask(confirmer, 'erasures.confirm', { erasure_id, member_id_ending: ENDING });

// Broke: an administrator made a person, or a link for one, and confirmed by that what they had asked for themselves.
test.each(Object.entries(REFUSED))('%s is not the second person', async (_, [because, pair]) => {
  const [asker, confirmer] = await pair();
  const erasure = await asked(asker);
  const refused = await confirm(confirmer, erasure);
  expect(refused).toMatchObject({
    status: 409,
    json: { error: { data: { problem: { code: 'another_person_required', because } } } },
  });
  // Somebody else is.
  expect((await confirm(await somebody(), erasure)).status).toBe(200);
});

test.each<[string, () => Promise<Pair>]>([
  ['two people of no other person', async () => [ada, await somebody()]],
  [
    'who added the asker, who was signed in by somebody else',
    async () => [await linkedByNobody((await add(ada)).staff_id), ada],
  ],
  [
    'two people whom one person added, signed in by somebody else',
    async () => [
      await linkedByNobody((await add(ada)).staff_id),
      await linkedByNobody((await add(ada)).staff_id),
    ],
  ],
  ['a person, and the first key that asked', async () => [BOOTSTRAP_KEY, await somebody()]],
])('%s are two', async (_, pair) => {
  const [asker, confirmer] = await pair();
  expect((await confirm(confirmer, await asked(asker))).status).toBe(200);
});

// Broke: whoever could write to the database took their name out of a person or a link that they had made.
test.each(['staff', 'staff_session', 'api_key'])(
  'without its maker by SQL a row of %s makes no second person',
  async (table) => {
    const key = await keyOf(ada);
    const made = await add(key);
    const confirmer = await linkOf(key, made.staff_id);
    const erasure = await asked(ada);
    const columns = { staff: 'made_by', staff_session: 'link_by', api_key: 'made_by' } as const;
    const column = columns[table as keyof typeof columns];
    await rows(service.databaseUrl, `update ${table} set ${column} = null where ${column} is not null`);
    expect((await confirm(confirmer, erasure)).status).not.toBe(200);
    // Put back for the tests that follow, which have people of their own.
    await alter(service.databaseUrl, `update staff set name = name`, []);
  },
);

test('the lines of a session by a link of somebody else say by whose link it is', async () => {
  const ben = await somebody();
  const own = await linkOf(ada, ada.staff_id);
  const lent = await linkOf(ada, ben.staff_id);
  const byKey = await linkOf(await keyOf(ada), ben.staff_id);
  for (const session of [own, lent, byKey]) await ask(session, 'staff.list', { limit: 1 });
  const linesOf = async ({ session_id }: TestSession) => {
    const { items } = await service.answer<AuditList>('GET', '/audit?limit=100');
    const lines = items.filter((line) => line.session_id === session_id);
    expect(lines.map(({ operation }) => operation)).toEqual(['staff.list', 'sessions.signIn']);
    return lines.map(({ link_by, link_by_name, change }) => ({ link_by, link_by_name, change }));
  };
  const none = { link_by: null, link_by_name: null, change: null };
  expect(await linesOf(own)).toEqual([none, none]);
  const adas = { link_by: ada.staff_id, link_by_name: 'Ada Jones', change: null };
  expect(await linesOf(lent)).toEqual([adas, adas]);
  const keys = { ...none, link_by: expect.stringMatching(/^key_/) };
  expect(await linesOf(byKey)).toEqual([keys, keys]);
});

// Broke: an administrator gave themselves a role as somebody else, whom their own link had signed in, or by a key.
test('no admin gives themselves a role through a link for somebody else, or a key, where another admin is', async () => {
  const eve = await aSession(service, { roles: ['admin'] });
  const more = { staff_id: eve.staff_id, roles: ['admin', 'privacy'] };
  const other = await aSession(service, { roles: ['admin'] });
  const added = await as<AddedStaff>(eve, 'staff.add', {
    name: 'Puppet',
    roles: ['admin'],
    account_id: null,
  });
  const made = await enter(added.link);
  for (const session of [eve, await linkOf(eve, other.staff_id), made, await linkOf(made, other.staff_id)])
    expect(await ask(session, 'staff.setRoles', more)).toMatchObject({
      status: 409,
      json: { error: { data: { problem: { code: 'another_admin_required' } } } },
    });
  const byKey = await service.ask('POST', `/staff/${eve.staff_id}/roles`, {
    key: await keyOf(eve),
    body: { roles: more.roles },
  });
  expect(byKey).toMatchObject({ status: 409, json: { code: 'another_admin_required' } });
  expect((await ask(other, 'staff.setRoles', more)).status).toBe(200);
});
