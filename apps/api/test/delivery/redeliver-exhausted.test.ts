import type { RedeliveredExhausted } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';
import { verified } from '../verified.ts';
import { aFinishedRequest, deliveryOf, deliveryOnce } from './deliveries.ts';

const service = useService({ env: { WEBHOOK_RETRY_SCHEDULE: '0s' } });

/** Requests of one account whose receiver refused them, and accepts them from now on. */
async function exhaustedRequests(count: number, key: string) {
  const receiver = await aReceiver({ status: 500 });
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1)
    ids.push((await aFinishedRequest(service, receiver.url, key)).request_id);
  for (const id of ids) await deliveryOnce(service, id, 'exhausted', key);
  receiver.behave({ status: 204 });
  return { ids, receiver };
}

const SINCE = '2026-01-01T00:00:00Z';

describe.each(transports)('deliveries.redeliverExhausted over $name', (transport) => {
  const call = (key: string, input: object) =>
    transport.call(service, 'deliveries.redeliverExhausted', { ...input }, { key });

  /** Counts, then has what was counted sent again. */
  const redeliver = async (key: string, input: object = { since: SINCE }) => {
    const dry = await call(key, { ...input, dry_run: true });
    const { token, more } = transport.output<RedeliveredExhausted>(dry);
    const { redelivered } = transport.output<RedeliveredExhausted>(
      token === null ? dry : await call(key, { ...input, token }),
    );
    return { redelivered, more };
  };

  test('sends the same messages again, is on record with each, and finds none the second time', async () => {
    const key = await aKey(service);
    const { ids, receiver } = await exhaustedRequests(3, key);
    expect(await redeliver(key)).toEqual({ redelivered: 3, more: false });
    for (const id of ids) await deliveryOnce(service, id, 'delivered', key);
    expect(await redeliver(key)).toEqual({ redelivered: 0, more: false });

    const bodiesById = Map.groupBy(receiver.received, ({ headers }) => headers['webhook-id']);
    expect([...bodiesById.values()].map((webhooks) => webhooks.length)).toEqual([2, 2, 2]);
    for (const [first, second] of bodiesById.values()) expect(second?.body).toBe(first?.body);
    const logged = await rows<{ request_ids: string[] | null }>(
      service.databaseUrl,
      `select request_ids from access_log where operation = 'deliveries.redeliverExhausted'
         and account_id = (select account_id from request where id = $1) order by id`,
      [ids[0]],
    );
    const loggedIds = logged.map(({ request_ids }) => request_ids?.toSorted() ?? null);
    expect(loggedIds).toEqual([null, ids.toSorted(), null]); // the counts before and after
  });

  test('goes up to the limit and says that there are more', async () => {
    const key = await aKey(service);
    await exhaustedRequests(2, key);
    expect(await redeliver(key, { since: SINCE, limit: 1 })).toEqual({ redelivered: 1, more: true });
    expect(await redeliver(key)).toEqual({ redelivered: 1, more: false });
  });

  test('leaves what was exhausted before, and other accounts’; an operator’s is for every account', async () => {
    const [key, other, operator] = [
      await aKey(service),
      await aKey(service),
      await aKey(service, ['operate']),
    ];
    const { ids } = await exhaustedRequests(1, key);
    const [id = ''] = ids;
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await redeliver(key, { since: later })).toEqual({ redelivered: 0, more: false });
    expect(await redeliver(other)).toEqual({ redelivered: 0, more: false });
    expect(await deliveryOf(service, id, key)).toMatchObject({ status: 'exhausted' });
    expect((await redeliver(operator)).redelivered).toBeGreaterThan(0);
    await deliveryOnce(service, id, 'delivered', key);
  });

  test.each([
    [{ limit: 5 }, 'since', 'missing'],
    [{ since: 'yesterday' }, 'since', 'datetime_from_date_parsing'],
    [{ since: null }, 'since', 'datetime_type'],
    [{ since: SINCE, limit: 0 }, 'limit', 'greater_than_equal'],
    [{ since: SINCE, limit: 10_001 }, 'limit', 'less_than_equal'],
    [{ since: SINCE, limit: 'x' }, 'limit', 'int_parsing'],
    [{ since: SINCE, limit: null }, 'limit', 'int_type'],
    [{ since: SINCE }, 'token', 'missing'],
    [{ since: SINCE, dry_run: false, host: 'billing.example' }, 'token', 'missing'],
    [{ since: SINCE, token: 'of another count' }, 'token', 'value_error'],
    [{ since: SINCE, dry_run: true, hosts: 'billing.example' }, 'hosts', 'extra_forbidden'],
  ])('%o is refused at %s', async (input, field, type) => {
    const answer = await call(await aKey(service), input);
    expect([answer.status, answer.json]).toEqual([
      422,
      transport.invalid({ loc: ['body', field], msg: expect.any(String), type }),
    ]);
  });

  // In UTC these instants fall into the years 0 and 10000.
  test.each(['0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59'])(
    'a time of %s is a time',
    async (time) => {
      expect((await call(await aKey(service), { since: time, dry_run: true })).status).toBe(200);
    },
  );
});

test('what is sent again is signed again', async () => {
  const receiver = await aReceiver({ status: 500 });
  const { request_id } = await aFinishedRequest(service, receiver.url);
  await deliveryOnce(service, request_id, 'exhausted');
  receiver.behave({ status: 204 });
  const path = '/deliveries/redeliver-exhausted';
  const { token } = await service.answer<RedeliveredExhausted>('POST', path, { since: SINCE, dry_run: true });
  await service.answer('POST', path, { since: SINCE, token });
  await deliveryOnce(service, request_id, 'delivered');
  verified(receiver.received.at(-1) ?? expect.fail());
});
