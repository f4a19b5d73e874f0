import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deliveryQueue } from '../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  aWebhookSecret,
  claimDue,
  claimFor,
  finish,
  intake,
  PAYER_ID,
  type StoredRequest,
} from '../../test/ground/stages.ts';
import { theDeliveries } from '../../test/ground/the-stored.ts';
import { acceptOutput, type ClaimedDelivery, type LocalWorker, rotateWebhookSecret } from '../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = deliveryQueue(stores);
const secret = aWebhookSecret();
const caller = await anAccount(store, { webhookSecret: secret });

/** A local worker with this many slots, and a record of its calls. */
function aLocalWorker(placeCount = Number.POSITIVE_INFINITY) {
  const calls = { begun: [] as ClaimedDelivery[], freeCount: 0, wakeCount: 0 };
  let left = placeCount;
  const localWorker: LocalWorker = {
    reserve: () =>
      left-- > 0
        ? { begin: (claimed) => void calls.begun.push(claimed), free: () => void (calls.freeCount += 1) }
        : null,
    wake: () => void (calls.wakeCount += 1),
  };
  return { localWorker, calls };
}

/** Submits an output for the request. Returns the kind of the answer. */
const submitTo = async (localWorker: LocalWorker, request: StoredRequest, into = store) => {
  const submitted = {
    output: anOutput(request),
    payerId: PAYER_ID,
    caller: aPlatformCaller(),
    client: null,
    trusted: true,
    holdsAgentResults: false,
  };
  return (await acceptOutput(into, submitted, localWorker)).kind;
};

// Without it a delivery begun at once could differ in content or address from the same delivery claimed.
test('begins what a claim of the same row would hold', async () => {
  await queue.empty();
  const callbackUrl = 'https://user:secret@receiver.example:8443/hook?x=1';
  const request = await intake(store, caller, aRequest({ callback_url: callbackUrl }));
  const { localWorker, calls } = aLocalWorker();
  await submitTo(localWorker, request);
  const [begun] = calls.begun;
  expect([calls.freeCount, calls.wakeCount, await claimDue(rival)]).toEqual([0, 0, []]);
  await queue.lapse(begun?.deliveryId ?? '');
  const claimed = await claimFor(rival, request.request_id);
  expect(begun?.leaseToken).not.toBe(claimed.leaseToken);
  expect(begun).toEqual({ ...claimed, leaseToken: begun?.leaseToken });
  expect(begun?.message).toMatchObject({ callbackUrl, secrets: [secret] });
});

// Without it a crash between the commit and the post would lose the webhook, or leave no trace of the lost worker.
test('its lease lapses like any other, and the lost attempt is on record', async () => {
  await queue.empty();
  const request = await intake(store, caller);
  const { localWorker, calls } = aLocalWorker();
  await submitTo(localWorker, request);
  expect(await queue.row(calls.begun[0]?.deliveryId ?? '')).toMatchObject({
    claim_count: 1,
    attempt_count: 0,
  });
  await queue.lapse(calls.begun[0]?.deliveryId ?? '');
  const again = await claimFor(rival, request.request_id);
  await finish(rival, again);
  const listed = await theDeliveries(store, caller, request.request_id);
  expect(listed[0]?.attempts.map(({ outcome }) => outcome)).toEqual(['worker_lost', 'succeeded']);
  expect(calls.begun[0] && (await finish(store, calls.begun[0]))).toBeFalsy();
});

// Without it a delivery without a slot would wait for the poll, or never be sent.
test('a delivery without a free slot waits in the queue, and the worker is woken', async () => {
  await queue.empty();
  const requests = [await intake(store, caller), await intake(store, caller), await intake(store, caller)];
  const { localWorker, calls } = aLocalWorker(1);
  for (const request of requests) await submitTo(localWorker, request);
  expect([calls.begun.length, calls.freeCount, calls.wakeCount]).toEqual([1, 0, 2]);
  const waiting = (await claimDue(rival)).map(({ requestId }) => requestId);
  expect([...waiting, calls.begun[0]?.requestId].toSorted()).toEqual(
    requests.map(({ request_id }) => request_id).toSorted(),
  );
});

// Without it each repeated output would hold one of the receiver's slots until the process ends.
test('nothing is reserved for an output that changes nothing', async () => {
  const finished = await aFinishedRequest(store, caller);
  const { localWorker, calls } = aLocalWorker();
  expect(await submitTo(localWorker, finished)).toBe('unchanged');
  expect(calls).toEqual({ begun: [], freeCount: 0, wakeCount: 0 });
});

// Without it a failing transaction would leave its slot taken for as long as the process lives.
test('the slot is given back when the transaction fails', async () => {
  const request = await intake(store, caller);
  await sql(
    `insert into result (request_id, version, outcome, body, digest) values ($1, 1, 'complete', '', '')`,
    [request.request_id],
  );
  const { localWorker, calls } = aLocalWorker();
  await expect(submitTo(localWorker, request)).rejects.toThrow();
  expect(calls).toEqual({ begun: [], freeCount: 1, wakeCount: 0 });
});

// Without it two workers would send at once: the lease counts from the start of the transaction.
test('the delivery of a transaction that took long is released, and claimed like any other', async () => {
  const request = await intake(store, caller);
  const { localWorker, calls } = aLocalWorker();
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const reserve: LocalWorker['reserve'] = (lane) => {
    vi.advanceTimersByTime(2_001);
    return localWorker.reserve(lane);
  };
  expect(await submitTo({ ...localWorker, reserve }, request)).toBe('applied');
  expect(calls).toEqual({ begun: [], freeCount: 1, wakeCount: 1 });
  expect(await claimFor(rival, request.request_id)).toMatchObject({ requestId: request.request_id });
});

// Without it receivers in the middle of a rotation would refuse deliveries begun at once.
test('is signed by every secret that signs now, the latest first', async () => {
  const [first, second, third] = [aWebhookSecret(), aWebhookSecret(), aWebhookSecret()];
  const rotating = await anAccount(store, { webhookSecret: first });
  await rotateWebhookSecret(store, { caller: rotating, next: second });
  await rotateWebhookSecret(store, { caller: rotating, next: third });
  const request = await intake(store, rotating);
  const { localWorker, calls } = aLocalWorker();
  await submitTo(localWorker, request);
  await submitTo(localWorker, await intake(store, caller));
  expect(calls.begun.map(({ message }) => message?.secrets)).toEqual([[third, second, first], [secret]]);
});

// Without it the first step of the schedule would be skipped.
test('a first step that is not at once is left to the queue', async () => {
  const { localWorker, calls } = aLocalWorker();
  await submitTo(localWorker, await intake(store, caller), { ...store, firstDeliveryDelaySeconds: 60 });
  expect([calls.begun, calls.wakeCount]).toEqual([[], 1]);
});
