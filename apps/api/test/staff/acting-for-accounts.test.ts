import type { AccountList, Myself } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { consoleTransport } from '../transports.ts';
import { aSession, BEHIND_A_PROXY, callsOf, type TestSession } from './a-session.ts';

const service = useService({ env: BEHIND_A_PROXY });

const call = callsOf(() => service);

test('people of an account act only for it, and are refused while it is suspended', async () => {
  const { account_id } = await anAccount(service);
  const person = await aSession(service, { roles: ['requester'], account_id });
  const me = consoleTransport.output<Myself>(await call(person, 'sessions.me'));
  expect(me).toMatchObject({ account_id, roles: ['requester'], scopes: ['requests'] });
  const { account_id: foreign } = await anAccount(service);
  for (const other of [foreign, 'acct_x']) {
    const answer = await call(person, 'requests.list', {}, { 'account-id': other });
    expect([answer.status, answer.json]).toEqual([404, consoleTransport.problem('not_found')]);
  }
  await service.answer('POST', `/accounts/${account_id}/suspend`);
  const refused = await call(person, 'requests.list');
  expect([refused.status, refused.json]).toEqual([403, consoleTransport.problem('account_suspended')]);
});

// Without it a requester of the platform could post for one account alone, or one of an account see the others' names.
test('people of the platform find every account that they may act for by its name, others only their own', async () => {
  const { account_id: own } = await anAccount(service, { name: 'Östliche „Zahnklinik“ Group' });
  const { account_id: other } = await anAccount(service, { name: 'Main Street Zahnklinik', mode: 'test' });
  const { account_id: gone } = await anAccount(service, { name: 'Gone Zahnklinik' });
  await service.answer('POST', `/accounts/${gone}/suspend`);
  const found = async (session: TestSession, name?: string, headers = {}) => {
    const answer = await call(session, 'sessions.accounts', { name }, headers);
    return consoleTransport.output<AccountList>(answer).items.map(({ account_id }) => account_id);
  };
  const requester = await aSession(service, { roles: ['requester'] });
  expect(await found(requester, 'ZAHNKLINIK')).toEqual([other, own]);
  expect(await found(requester, 'Östliche „Z')).toEqual([own]);
  expect(await found(requester, 'Gone')).toEqual([]);
  expect(await found(requester, '%')).toEqual([]);
  // Also while acting for a test account, from which nothing else live is seen.
  expect(await found(requester, 'zahn', { 'account-id': other })).toEqual([other, own]);
  const me = consoleTransport.output<Myself>(
    await call(requester, 'sessions.me', {}, { 'account-id': other }),
  );
  expect(me).toMatchObject({
    account_id: other,
    session: { account_name: 'Main Street Zahnklinik', may_switch: true },
  });
  const clerk = await aSession(service, { roles: ['requester'], account_id: own });
  expect(await found(clerk)).toEqual([own]);
  expect(consoleTransport.output<Myself>(await call(clerk, 'sessions.me')).session).toMatchObject({
    account_name: 'Östliche „Zahnklinik“ Group',
    may_switch: false,
  });
});

// Like Stripe's header for the same purpose; a test account turns the whole call into test mode.
test('someone of the platform acts for the account that a header names', async () => {
  const person = await aSession(service, { roles: ['requester', 'operator'] });
  const { account_id } = await anAccount(service, { mode: 'test' });
  const me = await call(person, 'sessions.me', {}, { 'account-id': account_id });
  expect(consoleTransport.output<Myself>(me)).toMatchObject({ id: person.staff_id, account_id });
  const seeded = { request: aRequest(), answer: { plan_name: 'PPO Gold' } };
  await service.answer('POST', '/known-answers', seeded);
  // A request there would be worked on, and never delivered.
  const known = await call(person, 'sessions.me', {}, { 'account-id': 'acct_00000000000000000000000002' });
  expect(known.status).toBe(404);
  const unknown = await call(person, 'sessions.me', {}, { 'account-id': 'acct_x' });
  expect(unknown.status).toBe(404);
});
