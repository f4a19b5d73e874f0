import type { EventType } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, aWebhookSecret, finish } from '../../test/ground/stages.ts';
import {
  type Caller,
  claimDueDeliveries,
  createEndpoint,
  recoverEndpoint,
  testEndpoint,
  updateEndpoint,
} from '../index.ts';

const { store, sql } = await openTestStores();

const BEFORE = new Date(0);

const anEndpoint = async (caller: Caller, ...types: EventType[]) => {
  const url = 'https://receiver.example/events';
  const created = await createEndpoint(store, { caller, url, types, secret: aWebhookSecret() });
  if (created.kind !== 'created') throw new Error('The account has too many.');
  return created.endpoint.endpoint_id;
};

/** Claims what is due to an account's endpoints, and ends each attempt like this. */
const endDue = async ({ accountId }: Caller, ending: Parameters<typeof finish>[2]): Promise<string[]> => {
  const free = { perHost: 1_000, perAccount: 1_000, hosts: new Map(), lanes: new Map() };
  const { claimed } = await claimDueDeliveries(store, { limit: 100, freeSlots: free, after: null });
  const own = claimed.filter((one) => one.eventId !== null && one.accountId === accountId);
  for (const one of own) await finish(store, one, ending);
  return own.map(({ eventId }) => eventId ?? '').toSorted();
};

const GIVEN_UP = {
  outcome: 'http_error',
  statusCode: 500,
  next: { kind: 'exhausted', reason: 'webhook_exhausted' },
} as const;

const recover = (caller: Caller, endpointId: string, since: Date | null, isDryRun = false) =>
  recoverEndpoint(store, { caller, endpointId, since, isDryRun });

const counts = (recovered_count: number, missed_count: number) => ({
  kind: 'recovered',
  recovered: { recovered_count, missed_count },
});

// Without it an endpoint that failed for days would have to ask for each event by its id.
test('since a time, what was given up and what was never posted comes again, counted first, and nothing else', async () => {
  const caller = await anAccount(store);
  const endpointId = await anEndpoint(caller, 'request.answered');
  await aFinishedRequest(store, caller);
  const [taken = ''] = await endDue(caller, {});
  await aFinishedRequest(store, caller);
  await testEndpoint(store, { caller, endpointId });
  await endDue(caller, GIVEN_UP);
  await updateEndpoint(store, { caller, endpointId, isEnabled: false });
  await aFinishedRequest(store, caller);
  expect(await recover(caller, endpointId, BEFORE, true)).toEqual({ kind: 'not_found' });
  await updateEndpoint(store, { caller, endpointId, isEnabled: true });

  expect(await recover(caller, endpointId, null, true)).toEqual(counts(0, 1));
  expect(await recover(caller, endpointId, BEFORE, true)).toEqual(counts(0, 2));
  expect(await endDue(caller, {})).toEqual([]);
  expect(await recover(caller, endpointId, BEFORE)).toEqual(counts(2, 0));
  expect(await recover(caller, endpointId, BEFORE)).toEqual(counts(0, 0));
  const again = await endDue(caller, {});
  const written = await sql<{ id: string }>(
    "select id from event where account_id = $1 and type = 'request.answered' and id <> $2",
    [caller.accountId, taken],
  );
  expect(again).toEqual(written.map(({ id }) => id).toSorted());
  expect(await recover(caller, endpointId, null, true)).toEqual(counts(0, 0));
});

// Without it a time would not bound what is posted, or a receiver would get events from before it was one.
test('nothing from before the time, nor from before the endpoint was created', async () => {
  const caller = await anAccount(store);
  await aFinishedRequest(store, caller);
  const endpointId = await anEndpoint(caller, 'request.answered');
  expect(await recover(caller, endpointId, BEFORE, true)).toEqual(counts(0, 0));
  await aFinishedRequest(store, caller);
  await endDue(caller, GIVEN_UP);
  const [row] = await sql<{ at: Date }>('select max(occurred_at) as at from event where account_id = $1', [
    caller.accountId,
  ]);
  const at = row?.at.getTime() ?? 0;
  expect(await recover(caller, endpointId, new Date(at + 1), true)).toEqual(counts(0, 0));
  expect(await recover(caller, endpointId, new Date(at), true)).toEqual(counts(0, 1));
});

// Without it one account could have another's events counted or posted.
test('an endpoint of another account is not found, and each call is recorded', async () => {
  const caller = await anAccount(store);
  const endpointId = await anEndpoint(caller, 'request.answered');
  const other = await anAccount(store);
  await aFinishedRequest(store, other);
  for (const isDryRun of [true, false])
    expect(await recover(other, endpointId, BEFORE, isDryRun)).toEqual({ kind: 'not_found' });
  expect(await recover(caller, endpointId, BEFORE, true)).toEqual(counts(0, 0));
  const recorded = await sql(
    "select subject_id from access_log where account_id = $1 and operation = 'endpoints.recover'",
    [caller.accountId],
  );
  expect(recorded).toEqual([{ subject_id: endpointId }]);
});

// Without it an operator who helps one clinic would have every account's events posted to it.
test('a person of the platform who acts for another account creates an endpoint of that account', async () => {
  const clinic = await anAccount(store);
  const by = { name: 'O.', sessionId: 'ses_1', address: null, isEmergency: false };
  const endpointId = await anEndpoint({ ...clinic, acrossAccounts: true, by }, 'request.answered');
  expect(await sql('select reach from webhook_endpoint where id = $1', [endpointId])).toEqual([
    { reach: 'own' },
  ]);
});
