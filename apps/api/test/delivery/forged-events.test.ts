import type {
  CreatedEndpoint,
  DeliverySummaryList,
  EventList,
  TestedEndpoint,
} from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { verified } from '../verified.ts';

const FORGED = ['evt_01jdabcdefghjkmnpqrstvwxy1', 'evt_01jdabcdefghjkmnpqrstvwxy2'] as const;

// Broke: with SQL alone one had the service sign any event with an endpoint's secret and post it to its receiver.
test('an event that somebody writes by SQL is not posted, and the log, a metric and its delivery say so', async () => {
  const service = await aService();
  const key = await aKey(service);
  const receiver = await aReceiver();
  const endpoint = await service.answer<CreatedEndpoint>(
    'POST',
    '/endpoints',
    { url: receiver.url, types: ['request.answered'] },
    key,
  );
  const { endpoint_id: endpointId, account_id: accountId, secret } = endpoint;
  const tested = () =>
    service.answer<TestedEndpoint>('POST', `/endpoints/${endpointId}/test`, undefined, key);
  const first = await tested();
  await receiver.first();

  const [inserted, called] = FORGED;
  const bodyOf = (id: string) =>
    JSON.stringify({
      id,
      type: 'request.answered',
      account_id: accountId,
      occurred_at: new Date().toISOString(),
      number: 1,
      data: { request_id: 'req_01jdabcdefghjkmnpqrstvwxyz', version: 1 },
    });
  const sql = (text: string, values: readonly unknown[]) => rows(service.databaseUrl, text, [...values]);
  const [made] = await rows<{ name: string }>(
    service.databaseUrl,
    `select proname as name from pg_proc where obj_description(oid, 'pg_proc') = 'write_events'`,
  );
  await sql(
    `select ${made?.name}(array[$1], array[$2], array['request.answered'], array['req_1'], array[1], array[$3],
       array[(select mac from event where id = $4)], array[null::text])`,
    [called, accountId, bodyOf(called), first.event_id],
  );
  await sql(
    `with made as (
       insert into event (id, account_id, type, subject_id, number, body)
       values ($1, $2, 'request.answered', 'req_2', 1, $3) returning id
     ), posted as (
       insert into delivery (id, event_id, endpoint_id, account_id, destination, destination_host)
       select 'msg_01jdabcdefghjkmnpqrstvwxyz', made.id, endpoint.id, endpoint.account_id, url, destination_host
       from made, webhook_endpoint as endpoint where endpoint.id = $4 returning delivery.*
     )
     insert into delivery_queue (destination_host, account_id, run_at, delivery_id)
     select destination_host, account_id, now(), id from posted`,
    [inserted, accountId, bodyOf(inserted), endpointId],
  );
  const ended = await until('both are given up', async () => {
    const { items } = await service.answer<DeliverySummaryList>(
      'GET',
      '/deliveries?status=exhausted',
      undefined,
      key,
    );
    return items.length === 2 && items;
  });
  for (const delivery of ended)
    expect(delivery).toMatchObject({ event_type: null, reason: 'webhook_exhausted', attempt_count: 0 });
  expect(new Set(ended.map((delivery) => delivery.event_id))).toEqual(new Set(FORGED));

  const last = await tested();
  const received = await receiver.first(2);
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([first.event_id, last.event_id]);
  for (const { headers, body } of received) verified({ headers, body, path: '' }, secret);
  const listed = await until('the last one shows', async () => {
    const { items } = await service.answer<EventList>('GET', '/events', undefined, key);
    return items.some(({ id }) => id === last.event_id) && items;
  });
  expect(listed.map(({ id }) => id)).toEqual([first.event_id, last.event_id]);
  expect(receiver.received).toHaveLength(2);

  const { text } = await service.ask('GET', '/metrics');
  expect(text).toMatch(/^ivs_altered_rows_total\{table="event"\} [1-9]/m);
  const logged = service.logLines.map((line) => JSON.parse(line) as { readonly row?: string });
  const reported = logged.filter(({ row }) => FORGED.some((id) => id === row));
  expect(new Set(reported.map(({ row }) => row))).toEqual(new Set(FORGED));
  for (const line of reported) expect(line).toMatchObject({ level: 50, table: 'event' });
});
