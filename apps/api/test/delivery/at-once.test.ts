import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { expect, test } from 'vitest';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { verified } from '../verified.ts';
import { aFinishedRequest, deliveryOnce } from './deliveries.ts';

/** Drops the functions that claims call: from now on a delivery is sent at once or not at all. */
async function forbidClaims(databaseUrl: string) {
  const claims = await rows<{ name: string }>(
    databaseUrl,
    `select oid::regprocedure::text as name from pg_proc where proname like 'claim_deliveries%'`,
  );
  for (const { name } of claims) await rows(databaseUrl, `drop function ${name}`);
}

// Without it the process would write each result, then claim, read and decrypt what it just had in hand.
test('a result is delivered by the process that accepts it, without a claim', async () => {
  const receiver = await aReceiver({ status: 204 });
  const service = await aService();
  // Until its first look at the queue, a worker lets no delivery overtake the waiting ones.
  const first = await aFinishedRequest(service, receiver.url);
  await deliveryOnce(service, first.request_id, 'delivered');
  await forbidClaims(service.databaseUrl);
  for (let count = 0; count < 3; count += 1) {
    const { request_id } = await aFinishedRequest(service, receiver.url);
    const { attempts } = await deliveryOnce(service, request_id, 'delivered');
    expect(attempts).toMatchObject([{ number: 1, outcome: 'succeeded' }]);
  }
  expect(receiver.received.map((webhook) => verified(webhook))).toHaveLength(4);
});

// Without it a process that never sends would hold each delivery for ten seconds, until the lease expires.
test('a process without the delivery role leases nothing', async () => {
  const http = await aService({ env: { ROLES: 'http' } });
  const { request_id } = await aFinishedRequest(http, 'http://127.0.0.1:9/');
  expect(
    await rows(
      http.databaseUrl,
      `select lease, leased_until, claim_count
       from delivery_queue queued join delivery on id = delivery_id where delivery.request_id = $1`,
      [request_id],
    ),
  ).toEqual([{ lease: null, leased_until: null, claim_count: 0 }]);
});

// Without it immediate sends would exceed a receiver's slots, which limit all its deliveries.
test('what is begun at once takes a place of its receiver like any other', async () => {
  const receiver = await aReceiver('hang');
  const service = await aService();
  for (let count = 0; count < 6; count += 1) await aFinishedRequest(service, receiver.url);
  await receiver.first(2);
  const counted = await rows(
    service.databaseUrl,
    'select count(*)::int as leased from delivery_queue where lease is not null',
  );
  expect(counted).toEqual([{ leased: 2 }]);
  await receiver.close();
});
