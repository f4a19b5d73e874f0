import type { CreatedApiKey, FoundRequestList, RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { type Door, doors } from '../doors.ts';
import { rows } from '../rows.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function anOperator(): Promise<CreatedApiKey> {
  const { account_id } = await anAccount(service, { kind: 'platform' });
  return service.answer('POST', '/keys', { account_id, scopes: ['operate'] });
}

/** A request of a new account, created with an Idempotency-Key. */
async function aKeyedRequest(idempotencyKey: string) {
  const { account_id } = await anAccount(service);
  const { json } = await service.ask('POST', '/requests/', {
    body: aRequest(),
    key: await aKey(service, ['requests'], account_id),
    headers: { 'idempotency-key': idempotencyKey },
  });
  return { account_id, request: json as RequestModel & { request_id: string } };
}

async function search(door: Door, input: Record<string, unknown>): Promise<FoundRequestList> {
  const { key } = await anOperator();
  const answer = await door.call(service, 'requests.search', input, { key });
  expect([answer.status, answer.json]).toEqual([200, door.success(door.output(answer))]);
  return door.output(answer);
}

describe.each(doors)('through $name', (door) => {
  test('a request of any account is found by its id, with the account that it is of', async () => {
    const { account_id } = await anAccount(service);
    const request = await aStoredRequest(service, {}, await aKey(service, ['requests'], account_id));
    const { request_id } = request;
    expect(await search(door, { request_id })).toEqual({
      items: [{ account_id, request }],
      next_cursor: null,
    });
    expect((await search(door, { request_id, account_id })).items).toHaveLength(1);
  });

  test('requests of all accounts are found by the Idempotency-Key, newest first, page by page', async () => {
    const idempotency_key = `visit 1181 & ${door.name}`;
    const [first, second, third] = [
      await aKeyedRequest(idempotency_key),
      await aKeyedRequest(idempotency_key),
      await aKeyedRequest(idempotency_key),
    ];
    const page = await search(door, { idempotency_key, limit: 2 });
    expect(page).toEqual({ items: [third, second], next_cursor: second.request.request_id });
    expect(await search(door, { idempotency_key, limit: 2, cursor: page.next_cursor })).toEqual({
      items: [first],
      next_cursor: null,
    });
    const { account_id } = second;
    expect((await search(door, { idempotency_key, account_id })).items).toEqual([second]);
    expect((await search(door, { idempotency_key, request_id: first.request.request_id })).items).toEqual([
      first,
    ]);
  });

  // Without it an operator could read all patients of a clinic without a trace.
  test('each request that is shown is on record, and a search that found none is too', async () => {
    const idempotency_key = `on record ${door.name}`;
    const found = [await aKeyedRequest(idempotency_key), await aKeyedRequest(idempotency_key)];
    const { key, key_id } = await anOperator();
    await door.call(service, 'requests.search', { idempotency_key }, { key });
    await door.call(service, 'requests.search', { idempotency_key: 'of nobody' }, { key });
    const lines = await rows<{ operation: string; request_id: string | null }>(
      service.databaseUrl,
      'select operation, request_id from access_log where key_id = $1 order by id',
      [key_id],
    );
    const ids = [...found.map(({ request }) => request.request_id).toReversed(), null];
    expect(lines).toEqual(ids.map((request_id) => ({ operation: 'requests.search', request_id })));
  });

  // Without it an empty search would list everybody's patients.
  test.each([
    ['nothing', {}],
    ['an account alone', { account_id: 'acct_x' }],
    ['an id that no request has', { request_id: 'req_01jdabcdefghjkmnpqrstvwxyz' }],
    ['a text that is no id', { request_id: 'search\0' }],
    ['a key that nobody used', { idempotency_key: 'of nobody' }],
    ['an account that is none', { request_id: 'req_01jdabcdefghjkmnpqrstvwxyz', account_id: '\0' }],
  ])('%s finds nothing', async (_, input) => {
    expect(await search(door, input)).toEqual({ items: [], next_cursor: null });
  });

  test('a request of another account than the one that is named is not found', async () => {
    const idempotency_key = `elsewhere ${door.name}`;
    const { request } = await aKeyedRequest(idempotency_key);
    const { account_id } = await anAccount(service);
    for (const by of [{ idempotency_key }, { request_id: request.request_id }])
      expect((await search(door, { ...by, account_id })).items).toEqual([]);
  });
});
