import type { RequestList, RequestModel } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';

const service = useService();

describe.each(transports)('requests.list over $name', (transport) => {
  test('an account without requests gets an empty last page', async () => {
    const answer = await transport.call(service, 'requests.list', {}, { key: await aKey(service) });
    expect([answer.status, answer.json]).toEqual([
      200,
      transport.success({ items: [], erased: [], next_cursor: null }),
    ]);
  });

  test('pages run from the newest to the oldest, each request once, and never show another account’s', async () => {
    const key = await aKey(service);
    const created: RequestModel[] = [];
    for (let count = 0; count < 5; count += 1) created.push(await aStoredRequest(service, {}, key));
    await aStoredRequest(service, {}, await aKey(service));
    const seen: RequestModel[] = [];
    let cursor: string | null | undefined;
    const sizes: number[] = [];
    do {
      const input = { limit: 2, ...(typeof cursor === 'string' && { cursor }) };
      const page = transport.output<RequestList>(
        await transport.call(service, 'requests.list', input, { key }),
      );
      seen.push(...page.items);
      sizes.push(page.items.length);
      cursor = page.next_cursor;
      await aStoredRequest(service, {}, key); // a new request must not shift the pages
    } while (cursor !== null);
    expect(seen).toEqual(created.toReversed());
    expect(sizes).toEqual([2, 2, 1]);
  });

  test('a page holds 20 by default, and 100 at most', async () => {
    const key = await aKey(service);
    await Promise.all(Array.from({ length: 101 }, () => aStoredRequest(service, {}, key)));
    const list = async (input: Record<string, unknown>) =>
      transport.output<RequestList>(await transport.call(service, 'requests.list', input, { key }));
    expect((await list({})).items).toHaveLength(20);
    const largest = await list({ limit: 100 });
    expect(largest.items).toHaveLength(100);
    expect((await list({ limit: 100, cursor: largest.next_cursor })).items).toHaveLength(1);
  });

  test('a state selects the requests that show it', async () => {
    const key = await aKey(service);
    const pending = await aStoredRequest(service, {}, key);
    const complete = await aStoredRequest(service, {}, key);
    const failed = await aStoredRequest(service, {}, key);
    await service.answer('POST', '/verification-output', anOutput(complete));
    await service.answer(
      'POST',
      '/verification-output',
      anOutput(failed, { state: 'error_verifying', insurance_data: [] }),
    );
    const idsIn = async (state: string) =>
      transport
        .output<RequestList>(await transport.call(service, 'requests.list', { state }, { key }))
        .items.map((item) => item.request_id);
    expect(await idsIn('pending')).toEqual([pending.request_id]);
    expect(await idsIn('complete')).toEqual([complete.request_id]);
    expect(await idsIn('error_verifying')).toEqual([failed.request_id]);
    expect(await idsIn('error_sending_webhook')).toEqual([]);
  });

  test.each([
    [{ limit: 0 }, 'limit', 'Input should be greater than or equal to 1', 'greater_than_equal'],
    [{ limit: 101 }, 'limit', 'Input should be less than or equal to 100', 'less_than_equal'],
    [{ cursor: 'req_x' }, 'cursor', 'Value should be the next_cursor of a page of this list', 'value_error'],
    [{ cursor: '' }, 'cursor', 'Value should be the next_cursor of a page of this list', 'value_error'],
    [
      { state: 'done' },
      'state',
      "Input should be 'pending', 'complete', 'error_verifying' or 'error_sending_webhook'",
      'enum',
    ],
  ])('%o is refused at its place in the query', async (input, name, msg, type) => {
    const answer = await transport.call(service, 'requests.list', input);
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid({ loc: ['query', name], msg, type }),
    ]);
  });
});

test('a limit that is no number is reported as FastAPI reports it', async () => {
  const { status, json } = await service.ask('GET', '/requests/?limit=many');
  expect(status).toBe(422);
  expect(json).toEqual({
    detail: [
      {
        loc: ['query', 'limit'],
        msg: 'Input should be a valid integer, unable to parse string as an integer',
        type: 'int_parsing',
      },
    ],
  });
});

// Broke: one corrupt row turned every list that contained it into a 500.
test('a request that does not open is left out of the list; the log names it and the metrics count it', async () => {
  const key = await aKey(service);
  const corrupt = await aStoredRequest(service, {}, key);
  const request = await aStoredRequest(service, {}, key);
  await rows(service.databaseUrl, `update request set input = '' where id = $1`, [corrupt.request_id]);
  expect(await service.answer('GET', '/requests/', undefined, key)).toEqual({
    items: [request],
    erased: [],
    next_cursor: null,
  });
  const logged = service.logLines.filter((line) => line.includes('a request cannot be decrypted'));
  expect(logged).toEqual([expect.stringContaining(`"request_id":"${corrupt.request_id}"`)]);
  expect((await service.ask('GET', '/metrics')).text).toContain('ivs_requests_unreadable_total 1');
});
