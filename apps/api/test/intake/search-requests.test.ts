import type {
  CreatedApiKey,
  RequestModel,
  RequestStats,
  RequestSummaryList,
} from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { describe, expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { type Transport, transports } from '../transports.ts';

const service = useService();

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
  return summaryOf(account_id, json as RequestModel);
}

/** A pending request as a search shows it: of its patient the initials. */
const summaryOf = (account_id: string, { request_id, input, received_timestamp }: RequestModel) => ({
  request_id: request_id ?? '',
  account_id,
  account_name: 'Main Street Dental',
  account_mode: 'live',
  payer_id: expect.stringMatching(/./),
  payer: input.payer_info.name,
  received_timestamp,
  state: 'pending',
  error_reason: null,
  channel: 'api',
  erased_at: null,
  needed_by: null,
  overdue: false,
  patient_initials: 'J. D.',
  service_date: null,
  answer: 'pending',
  answer_reason: null,
  held: false,
});

async function search(transport: Transport, input: Record<string, unknown>): Promise<RequestSummaryList> {
  const { key } = await anOperator();
  const answer = await transport.call(service, 'requests.search', input, { key });
  expect([answer.status, answer.json]).toEqual([200, transport.success(transport.output(answer))]);
  return transport.output(answer);
}

describe.each(transports)('over $name', (transport) => {
  test('a request of any account is found by its id, with the account that it is of, without its patient', async () => {
    const { account_id } = await anAccount(service);
    const request = await aStoredRequest(service, {}, await aKey(service, ['requests'], account_id));
    const { request_id } = request;
    const found = await search(transport, { request_id });
    expect(found).toEqual({ items: [summaryOf(account_id, request)], next_cursor: null });
    expect(JSON.stringify(found)).not.toMatch(/Jane|1984|W123456789/);
    expect((await search(transport, { request_id, account_id })).items).toHaveLength(1);
  });

  test('requests of all accounts are found by the Idempotency-Key, newest first, page by page', async () => {
    const idempotency_key = `visit 1181 & ${transport.name}`;
    const [first, second, third] = [
      await aKeyedRequest(idempotency_key),
      await aKeyedRequest(idempotency_key),
      await aKeyedRequest(idempotency_key),
    ];
    const page = await search(transport, { idempotency_key, limit: 2 });
    expect(page).toEqual({ items: [third, second], next_cursor: second.request_id });
    expect(await search(transport, { idempotency_key, limit: 2, cursor: page.next_cursor })).toEqual({
      items: [first],
      next_cursor: null,
    });
    const { account_id } = second;
    expect((await search(transport, { idempotency_key, account_id })).items).toEqual([second]);
    expect((await search(transport, { idempotency_key, request_id: first.request_id })).items).toEqual([
      first,
    ]);
  });

  // Without it the navigation would call nobody to what is late or was given up.
  test('what is late and was given up is counted, of the own account or of all, without a line', async () => {
    const { account_id } = await anAccount(service);
    const key = await aKey(service, ['requests'], account_id);
    const stats = async (by: { key: string }) =>
      transport.output<RequestStats>(await transport.call(service, 'requests.stats', {}, by));
    const none = { late_count: 0, given_up_count: 0 };
    expect(await stats({ key })).toEqual(none);
    const { request_id } = await aStoredRequest(service, {}, key);
    await rows(
      service.databaseUrl,
      `update work_queue set needed_by = now() - interval '1 minute' where request_id = $1`,
      [request_id],
    );
    const operator = await anOperator();
    expect(await stats({ key })).toEqual({ ...none, late_count: 1 });
    expect((await stats(operator)).late_count).toBeGreaterThan(0);
    expect((await search(transport, { account_id, late: true })).items).toMatchObject([{ request_id }]);
    const read = 'select operation from access_log where key_id = $1';
    expect(await rows(service.databaseUrl, read, [operator.key_id])).toEqual([]);
  });

  test.each([
    ['an account that is none', { account_id: 'acct_x' }],
    ['an id that no request has', { request_id: 'req_01jdabcdefghjkmnpqrstvwxyz' }],
    ['a text that is no id', { request_id: 'search\0' }],
    ['a key that nobody used', { idempotency_key: 'of nobody' }],
    ['a member id that nobody has', { subscriber_id: 'of nobody' }],
    ['a blank member id', { subscriber_id: ' ' }],
    ['a payer that is none', { payer_id: 'x\0' }],
    ['an account of a NUL', { request_id: 'req_01jdabcdefghjkmnpqrstvwxyz', account_id: '\0' }],
  ])('%s finds nothing', async (_, input) => {
    expect(await search(transport, input)).toEqual({ items: [], next_cursor: null });
  });

  test('what does not conform is reported at its field', async () => {
    const { key } = await anOperator();
    const answer = await transport.call(service, 'requests.search', { limit: 0 }, { key });
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid({
        loc: ['body', 'limit'],
        msg: 'Input should be greater than or equal to 1',
        type: 'greater_than_equal',
      }),
    ]);
  });
});

// A GET would carry the member id in its address, which proxies and browsers write down.
test('a search by GET is refused', async () => {
  const { key } = await anOperator();
  const answer = await service.ask('GET', '/requests/search?subscriber_id=W1', { key });
  expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
});
