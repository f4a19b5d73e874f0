import type { AuditList } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { aSession, BEHIND_A_PROXY, type TestSession } from '../staff/a-session.ts';
import { consoleTransport } from '../transports.ts';

// A page that stays open reads itself again with each change: the audit has who looked at what, not how often it did so.

const service = useService({ env: BEHIND_A_PROXY });

type Operation = Parameters<typeof consoleTransport.call>[1];

const read = async (operation: Operation, input: object, { asked }: TestSession) => {
  const answer = await consoleTransport.call(service, operation, { ...input }, asked);
  expect(answer.status).toBe(200);
  return answer;
};

const audit = (filter: string) => service.answer<AuditList>('GET', `/audit?limit=100&${filter}`);

/** A clinic with two requests, and a person of the platform. */
async function aClinic() {
  const { account_id } = await anAccount(service);
  const key = await aKey(service, ['requests'], account_id);
  const requests = [await aStoredRequest(service, {}, key), await aStoredRequest(service, {}, key)];
  const post = async () => (await aStoredRequest(service, {}, key)).request_id;
  const operator = await aSession(service, { roles: ['operator', 'auditor'] });
  const linesOf = async (operation: string) => {
    const { items } = await audit(`key_id=${operator.staff_id}&operation=${operation}`);
    return items.map((line) => [line.request_id, line.request_count]).toReversed();
  };
  return { account_id, ids: requests.map(({ request_id }) => request_id), post, operator, linesOf };
}

// Broke: thirteen lines in two minutes, and a line for each request of each list.
test('a list that a page reads thirteen times is one line, and what came since another', async () => {
  const { account_id, ids, post, operator, linesOf } = await aClinic();
  for (let count = 0; count < 13; count += 1) await read('requests.search', { account_id }, operator);
  expect(await linesOf('requests.search')).toEqual([[null, 2]]);
  const third = await post();
  // A page of it, and its end, are the same look.
  for (const place of [{}, { limit: 2 }, { order: 'oldest' }])
    await read('requests.search', { account_id, ...place }, operator);
  expect(await linesOf('requests.search')).toEqual([
    [null, 2],
    [third, 1],
  ]);
  for (const id of [...ids, third]) {
    const { items } = await audit(`request_id=${id}&operation=requests.search`);
    expect(items.filter((line) => line.key_id === operator.staff_id)).toHaveLength(1);
  }
});

test('the clinic’s filter shows who of the platform read its requests', async () => {
  const { account_id, ids, operator } = await aClinic();
  await read('requests.view', { request_id: ids[0] }, operator);
  await read('requests.search', { account_id }, operator);
  const { items } = await audit(`account_id=${account_id}&key_id=${operator.staff_id}`);
  expect(items).toMatchObject([
    { operation: 'requests.search', request_count: 2, request_account_id: account_id },
    { operation: 'requests.view', request_id: ids[0], request_account_id: account_id },
  ]);
  expect(items.every((line) => line.account_id !== account_id)).toBe(true);
});

test('another filter, another request and another session are other looks; an export and a reveal are not looks', async () => {
  const { account_id, ids, operator, linesOf } = await aClinic();
  const [request_id = '', other = ''] = ids;
  for (const input of [{ request_id }, { request_id: other }, { request_id }])
    await read('requests.view', input, operator);
  expect(await linesOf('requests.view')).toEqual([
    [request_id, 1],
    [other, 1],
  ]);
  for (const filter of [{ account_id }, { account_id, state: 'pending' }, { account_id }])
    await read('requests.search', filter, operator);
  expect(await linesOf('requests.search')).toHaveLength(2);
  for (let count = 0; count < 2; count += 1) {
    await read('requests.reveal', { request_id }, operator);
    await read('audit.export', { request_id: other }, operator);
    await read('audit.list', { request_id: other }, operator);
  }
  expect(await linesOf('requests.reveal')).toHaveLength(2);
  expect(await linesOf('audit.export')).toHaveLength(2);
  expect(await linesOf('audit.list')).toHaveLength(1);
});

// Breaks if emergency access left no mark on what was on the screen when it began.
test('emergency access begins other looks, which are marked', async () => {
  const { ids, operator } = await aClinic();
  const [request_id = ''] = ids;
  await read('requests.view', { request_id }, operator);
  const input = { session_id: operator.session_id, reason: 'the clinic is on fire' };
  const begun = await consoleTransport.call(service, 'sessions.breakGlass', input, operator.asked);
  expect(begun.status).toBe(200);
  await read('requests.view', { request_id }, operator);
  await read('requests.view', { request_id }, operator);
  const { items } = await audit(`key_id=${operator.staff_id}&operation=requests.view`);
  expect(items.map((line) => line.emergency)).toEqual([true, false]);
});
