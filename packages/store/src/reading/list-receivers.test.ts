import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  aWebhookSecret,
  claimFor,
  finish,
} from '../../test/ground/stages.ts';
import { type Caller, countRequests, createEndpoint, listReceivers, testEndpoint } from '../index.ts';

const { store, sql } = await openTestStores();

/** A delivery to a host, given up after the receiver answered an error. */
async function giveUp(caller: Caller, host: string): Promise<string> {
  const { request_id: id } = await aWaiting(caller, host);
  await finish(store, await claimFor(store, id), {
    outcome: 'http_error',
    statusCode: 503,
    next: { kind: 'exhausted', reason: 'webhook_exhausted' },
  });
  return id;
}

const aWaiting = (caller: Caller, host: string) =>
  aFinishedRequest(store, caller, aRequest({ callback_url: `https://${host}/verified` }));

/** As the count of facts does. */
const noteReceivers = () =>
  sql(
    `insert into receiver (destination_host, delivery_id, last_attempt_at)
     select destination_host, max(id), now() from delivery group by 1 on conflict do nothing`,
  );

// Without it nobody would be called to what a receiver lost, which a redelivery sends again.
test('receivers come by what was given up, then the paused, then by what waits, with the last answer', async () => {
  const [live, trial] = [await anAccount(store), await anAccount(store, { mode: 'test' })];
  await giveUp(live, 'one.example');
  for (const caller of [live, live, trial]) await giveUp(caller, 'three.example:8443');
  for (const host of ['waits.example', 'paused.example', 'waits.example']) await aWaiting(live, host);
  await noteReceivers();
  await sql(
    `update receiver set paused_since = now(), next_try_at = now() + interval '30 seconds'
     where destination_host in (select destination_host from delivery_queue group by 1 having count(*) = 1)`,
  );
  const shown = async (mode: 'live' | 'test') =>
    (await listReceivers(store, { caller: aPlatformCaller(mode) })).map((one) => [
      one.host,
      one.given_up_count,
      one.paused_since !== null,
      one.waiting_count,
      one.last_outcome,
      one.last_status_code,
    ]);
  expect(await shown('live')).toEqual([
    ['three.example:8443', 3, false, 0, 'http_error', 503],
    ['one.example:443', 1, false, 0, 'http_error', 503],
    ['paused.example:443', 0, true, 1, null, null],
    ['waits.example:443', 0, false, 2, null, null],
  ]);
  expect(await shown('test')).toEqual([['three.example:8443', 1, false, 0, 'http_error', 503]]);
  const counted = async (caller: Caller) => (await countRequests(store, { caller })).given_up_count;
  expect([await counted(aPlatformCaller()), await counted(live), await counted(trial)]).toEqual([3, 3, 1]);
  const ofMode = async (onlyMode: 'live' | 'test') =>
    (await listReceivers(store, { caller: { ...aPlatformCaller(), onlyMode } })).map((one) => [
      one.host,
      one.given_up_count,
      one.account_mode,
    ]);
  expect(await ofMode('test')).toEqual([['three.example:8443', 1, 'test']]);
  expect(await ofMode('live')).toEqual([
    ['one.example:443', 1, 'live'],
    ['paused.example:443', 0, 'live'],
    ['waits.example:443', 0, 'live'],
  ]);
});

// Without it operators would see only that deliveries wait, and not that an endpoint is about to be disabled.
test('a receiver shows since when an endpoint at it fails, once that is two hours', async () => {
  const caller = await anAccount(store);
  const created = await createEndpoint(store, {
    caller,
    url: 'https://events.example/',
    types: ['request.answered'],
    secret: aWebhookSecret(),
  });
  if (created.kind !== 'created') throw new Error('The account has too many.');
  const { endpoint_id: endpointId } = created.endpoint;
  await testEndpoint(store, { caller, endpointId });
  await noteReceivers();
  const shown = async () =>
    (await listReceivers(store, { caller: aPlatformCaller() })).find(
      ({ host }) => host === 'events.example:443',
    );
  expect(await shown()).toMatchObject({ waiting_count: 1, endpoint_failing_since: null });
  await sql("update webhook_endpoint set failing_since = '2026-11-01', told_hours = 2 where id = $1", [
    endpointId,
  ]);
  expect(await shown()).toMatchObject({
    endpoint_failing_since: expect.stringMatching(/^2026-(10-31|11-01)T/),
  });
});
