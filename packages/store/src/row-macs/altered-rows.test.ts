import { beforeAll, expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { ORIGIN_SECRET, type Powers, somePowers } from '../../test/ground/some-powers.ts';
import { aPlatformCaller, anAccount } from '../../test/ground/stages.ts';
import {
  addStaff,
  createSignInLink,
  findApiKey,
  findSession,
  findTestAccount,
  listAccounts,
  listApiKeys,
  listSessions,
  listStaff,
  resumeAccount,
  revokeApiKey,
  setStaffRoles,
  signIn,
  signInByProvider,
  standingOfSessions,
  withTestAccounts,
} from '../index.ts';
import type { AlteredRow } from './row-macs.ts';

const { open, sql } = await openTestStores();
const reported: AlteredRow[] = [];
const store = await open({ onAlteredRow: (row) => reported.push(row) });
const admin = aPlatformCaller();

let mine: Powers;
let others: Powers;
beforeAll(async () => {
  mine = await somePowers(store, 'ada');
  others = await somePowers(store, 'eve');
});

const sessionOf = ({ token, account }: Powers, isUse = false) =>
  findSession(store, { token, originSecret: ORIGIN_SECRET, accountId: account.accountId, isUse });

// Without it a look-up that joins the row, and does not read it by itself, would trust it.
test('a key whose row or account was altered is unknown, and each time that is reported', async () => {
  const { key, keyId, account } = await somePowers(store, 'ada');
  expect((await findApiKey(store, key)).kind).toBe('found');
  for (const [change, back, table, id] of [
    [
      `update api_key set scopes = '{verify}' where id = '${keyId}'`,
      `update api_key set scopes = '{requests}' where id = '${keyId}'`,
      'api_key',
      keyId,
    ],
    [
      `update account set mode = 'test' where id = '${account.accountId}'`,
      `update account set mode = 'live' where id = '${account.accountId}'`,
      'account',
      account.accountId,
    ],
  ] as const) {
    await sql(change);
    reported.length = 0;
    expect(await findApiKey(store, key)).toEqual({ kind: 'unknown' });
    expect(reported).toEqual([{ table, id }]);
    await sql(back);
    expect((await findApiKey(store, key)).kind).toBe('found');
  }
});

test('a session is ended where its row, its person or an account was altered; an emergency does not count', async () => {
  const powers = await somePowers(store, 'ada');
  const { staffId, sessionId, account } = powers;
  const found = await sessionOf(powers);
  if (found.kind !== 'found') throw new Error('It is not there.');
  expect(found.person.scopes).toContain('verify');
  await sql(`update emergency_access set ends_at = ends_at + interval '1 year' where session_id = $1`, [
    sessionId,
  ]);
  const sober = await sessionOf(powers);
  expect(sober).toMatchObject({
    kind: 'found',
    person: { scopes: ['operate'], session: { emergencyUntil: null } },
  });
  await sql(`update account set allowed_cidrs = '{::/0}' where id = $1`, [account.accountId]);
  expect(await sessionOf(powers)).toEqual({ kind: 'account_not_found' });
  await sql(`update account set allowed_cidrs = null where id = $1`, [account.accountId]);
  await sql(`update staff set roles = '{admin}' where id = $1`, [staffId]);
  expect(await sessionOf(powers)).toEqual({ kind: 'ended' });
  expect(await standingOfSessions(store, [sessionId])).toEqual(new Map());
  await sql(`update staff set roles = '{operator}' where id = $1`, [staffId]);
  expect((await standingOfSessions(store, [sessionId])).size).toBe(1);
  await sql(`update staff_session set expires_at = expires_at + interval '1 day' where id = $1`, [sessionId]);
  expect(await sessionOf(powers)).toEqual({ kind: 'ended' });
  expect(await standingOfSessions(store, [sessionId])).toEqual(new Map());
});

// Broke in the making: an identity taken for absent let somebody whose access had ended in as somebody new.
test('a person who was ended stays out when their row is altered, and does not sign in as another', async () => {
  const { staffId } = await somePowers(store, 'ada');
  const identity = {
    issuer: 'https://login.example',
    subject: 'ada',
    name: 'Ada',
    sid: null,
    provenAt: null,
  };
  const enter = () =>
    signInByProvider(store, {
      identity: { ...identity, roles: ['operator'] },
      invitation: undefined,
      originSecret: ORIGIN_SECRET,
      device: null,
      address: null,
    });
  await sql(`update staff set ended_at = '2020-01-01' where id = $1`, [staffId]);
  expect(await enter()).toEqual({ kind: 'ended' });
  await sql(`update staff set ended_at = null where id = $1`, [staffId]);
  expect((await enter()).kind).toBe('signed_in');
  await sql('update staff_identity set staff_id = $1 where subject = $2', [others.staffId, 'ada']);
  expect(await enter()).toEqual({ kind: 'ended' });
  await sql('update staff_identity set staff_id = $1 where subject = $2', [staffId, 'ada']);
});

test('a link that was turned to somebody else begins no session', async () => {
  const made = await createSignInLink(store, { caller: admin, staffId: mine.staffId, way: 'link' });
  if (made.kind !== 'created') throw new Error('It was not made.');
  const turn = (to: string, from: string) =>
    sql('update sign_in_link set staff_id = $1 where staff_id = $2', [to, from]);
  await turn(others.staffId, mine.staffId);
  expect(
    await signIn(store, { token: made.token, originSecret: ORIGIN_SECRET, device: null, address: null }),
  ).toEqual({
    kind: 'link_not_valid',
  });
});

// Without it a change of an altered row, by an administrator who saw nothing, would make it right.
test('no change gives an altered row a right MAC', async () => {
  const { keyId, key, staffId, account } = await somePowers(store, 'ada');
  await sql(`update api_key set scopes = '{verify}' where id = $1`, [keyId]);
  expect(await revokeApiKey(store, { caller: admin, keyId })).toEqual({ kind: 'not_found' });
  expect((await findApiKey(store, key)).kind).toBe('unknown');
  await sql('update account set suspended_at = now() where id = $1', [account.accountId]);
  expect(await resumeAccount(store, { caller: admin, accountId: account.accountId })).toEqual({
    kind: 'not_found',
  });
  await sql(`update staff set ended_at = now() where id = $1`, [staffId]);
  expect(await setStaffRoles(store, { caller: admin, staffId, roles: ['admin'] })).toEqual({
    kind: 'not_found',
  });
  const added = await addStaff(store, {
    caller: admin,
    name: 'x',
    roles: ['viewer'],
    accountId: account.accountId,
  });
  expect(added).toEqual({ kind: 'account_not_found' });
  const page = { caller: admin, limit: 100 };
  expect((await listApiKeys(store, page)).items.map(({ key_id }) => key_id)).not.toContain(keyId);
  expect((await listAccounts(store, page)).items.map(({ account_id }) => account_id)).not.toContain(
    account.accountId,
  );
  expect((await listStaff(store, page)).items.map(({ staff_id }) => staff_id)).not.toContain(staffId);
  const sessions = await listSessions(store, { ...page, everyones: true });
  expect(sessions.items.map(({ staff_id }) => staff_id)).not.toContain(staffId);
});

// Broke: whoever altered the rows of the other administrators was the only one, and gave themselves any role.
test('an administrator whose row was altered counts as there, where one is needed to give a role', async () => {
  const add = async (name: string) => {
    const added = await addStaff(store, { caller: admin, name, roles: ['admin'], accountId: null });
    if (added.kind !== 'added') throw new Error('They were not added.');
    return added.member.staff_id;
  };
  const [me, other] = [await add('me'), await add('other')];
  await sql(`update staff set roles = '{viewer}' where id <> $1`, [me]);
  const more = { caller: { ...admin, keyId: me }, staffId: me, roles: ['admin', 'privacy'] as const };
  expect(await setStaffRoles(store, more)).toEqual({ kind: 'another_admin_required' });
  expect(other).not.toBe(me);
});

// Broke: a live account made a test account by SQL was within reach of every test key.
test('a live account that was made a test account is beyond the reach of test keys', async () => {
  const live = await anAccount(store);
  const trial = await anAccount(store, { kind: 'platform', mode: 'test' });
  await sql(`update account set mode = 'test' where id = $1`, [live.accountId]);
  const tester = await withTestAccounts(store, trial);
  expect(tester.testAccountIds).toContain(trial.accountId);
  expect(tester.testAccountIds).not.toContain(live.accountId);
  await sql(`update account set suspended_at = now() where id = $1`, [trial.accountId]);
  expect(await findTestAccount(store, { caller: admin })).not.toEqual({
    kind: 'found',
    accountId: live.accountId,
  });
});
