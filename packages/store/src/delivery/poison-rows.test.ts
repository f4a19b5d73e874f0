import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { deliveryQueue } from '../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimDue, claimFor } from '../../test/ground/stages.ts';
import { theRequest } from '../../test/ground/the-stored.ts';
import { createMasterKey, giveUpDelivery } from '../index.ts';
import { createTestDatabase } from '../testing/index.ts';

const stores = await openTestStores();
const { store, open, sql, encryptionKey } = stores;
const queue = deliveryQueue(stores);
const caller = await anAccount(store);

// Without it (fault 15) one corrupt row would stop every delivery of every account.
test.each([
  ['result.body', 'empty', `''`],
  ['result.body', 'cut', 'substring(body for 40)'],
  ['result.body', 'of another version', 'set_byte(body, 0, 9)'],
  ['result.body', 'of a key that is not there', 'set_byte(body, 2, 255)'],
  ['result.body', 'of a key beyond int4', 'set_byte(body, 1, 255)'],
  ['result.body', 'flipped', 'set_byte(body, 40, 255 - get_byte(body, 40))'],
  ['request.input', 'flipped', 'set_byte(input, 40, 255 - get_byte(input, 40))'],
  ['delivery.destination', 'flipped', 'set_byte(destination, 20, 255 - get_byte(destination, 20))'],
])('a row whose %s is %s comes without a message, the others flow', async (place, _, value) => {
  await queue.empty();
  const [poison, healthy] = [await aFinishedRequest(store, caller), await aFinishedRequest(store, caller)];
  const [table, column] = place.split('.');
  await sql(
    `update ${table} set ${column} = ${value} where ${table === 'request' ? 'id' : 'request_id'} = $1`,
    [poison.request_id],
  );
  const claimed = await claimDue(store, 10);
  const messageOf = (requestId: string) =>
    claimed.find((delivery) => delivery.requestId === requestId)?.message;
  expect(messageOf(poison.request_id)).toBeNull();
  expect(messageOf(healthy.request_id)?.callbackUrl).toBe(aRequest().callback_url);
});

// Without it one account's corrupt secret would stop the others' deliveries.
test('an account whose secret does not open stops itself only', async () => {
  await queue.empty();
  const broken = await anAccount(store);
  const [poison, healthy] = [await aFinishedRequest(store, broken), await aFinishedRequest(store, caller)];
  await sql(`update account set webhook_secret = '' where id = $1`, [broken.accountId]);
  const claimed = await claimDue(store, 10);
  expect(claimed.filter(({ message }) => message === null).map(({ requestId }) => requestId)).toEqual([
    poison.request_id,
  ]);
  expect(claimed.map(({ requestId }) => requestId)).toContain(healthy.request_id);
});

// Without it a rolling deployment of a new master key would stop the deliveries of every process that lacks it.
test('a row under a master key this process lacks comes without a message, the others flow', async () => {
  const { connectionString } = await createTestDatabase();
  const old = await open({ connectionString });
  const oldCaller = await anAccount(old);
  await aFinishedRequest(old, oldCaller); // loads the account's data key before the next start rewraps it
  const rotated = await open({
    connectionString,
    encryptionKey: `${createMasterKey('k2')},${encryptionKey}`,
  });
  const [unreadable, readable] = [
    await aFinishedRequest(rotated, await anAccount(rotated)),
    await aFinishedRequest(rotated, oldCaller),
  ];
  const claimed = await claimDue(old, 10);
  const messageOf = (requestId: string) =>
    claimed.find((delivery) => delivery.requestId === requestId)?.message;
  expect(messageOf(unreadable.request_id)).toBeNull();
  expect(messageOf(readable.request_id)).not.toBeNull();
});

// Without it a row that never opens would be claimed forever, and its owner would see "complete" forever.
test('a row given up is exhausted without an attempt, and shows as such', async () => {
  const request = await aFinishedRequest(store, caller);
  const claimed = await claimFor(store, request.request_id);
  expect(await giveUpDelivery(store, claimed)).toEqual({ kind: 'given_up' });
  expect(await theRequest(store, caller, request.request_id)).toMatchObject({
    state: 'error_sending_webhook',
    error_reason: 'webhook_exhausted',
  });
  expect(await queue.row(claimed.deliveryId)).toMatchObject({
    status: 'exhausted',
    attempt_count: 0,
    lease: null,
  });
  expect(await sql('select from delivery_attempt where delivery_id = $1', [claimed.deliveryId])).toEqual([]);
});

// Without it a worker that slept past its lease would give up a delivery that another is sending.
test('only the holder of the lease gives a row up', async () => {
  const request = await aFinishedRequest(store, caller);
  const stale = await claimFor(store, request.request_id);
  await queue.lapse(stale.deliveryId);
  const holder = await claimFor(store, request.request_id);
  const before = await queue.row(stale.deliveryId);
  expect(await giveUpDelivery(store, stale)).toEqual({ kind: 'lease_lost' });
  expect(await queue.row(stale.deliveryId)).toEqual(before);
  expect(await theRequest(store, caller, request.request_id)).toMatchObject({ state: 'complete' });
  expect(await giveUpDelivery(store, holder)).toEqual({ kind: 'given_up' });
  expect(await giveUpDelivery(store, holder)).toEqual({ kind: 'lease_lost' });
});
