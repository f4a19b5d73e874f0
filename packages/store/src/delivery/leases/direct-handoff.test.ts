import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { deliveryQueue } from '../../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
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
} from '../../../test/ground/stages.ts';
import { theDeliveries } from '../../../test/ground/the-stored.ts';
import { acceptOutputs, type ClaimedDelivery, type LocalWorker, rotateWebhookSecret } from '../../index.ts';

const stores = await openTestStores();
const { store, rival } = stores;
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

/** What became of each. */
const submitTo = async (localWorker: LocalWorker, requests: readonly StoredRequest[], into = store) => {
  const submitted = {
    payerId: PAYER_ID,
    caller: aPlatformCaller(),
    client: null,
    trusted: true,
    holdsAgentResults: false,
  };
  const answers = await acceptOutputs(
    into,
    requests.map((request) => ({ ...submitted, output: anOutput(request) })),
    localWorker,
  );
  const settled = await Promise.allSettled(answers);
  return settled.map((one) => (one.status === 'fulfilled' ? one.value.kind : one.status));
};

// Without it a delivery begun at once could differ in content or address from the same delivery claimed.
test('begins what a claim of the same row would hold', async () => {
  await queue.empty();
  const callbackUrl = 'https://user:secret@receiver.example:8443/hook?x=1';
  const request = await intake(store, caller, aRequest({ callback_url: callbackUrl }));
  const { localWorker, calls } = aLocalWorker();
  await submitTo(localWorker, [request]);
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
  await submitTo(localWorker, [request]);
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
test('what the localWorker has no place for waits in the queue, and it is woken', async () => {
  await queue.empty();
  const requests = [await intake(store, caller), await intake(store, caller), await intake(store, caller)];
  const { localWorker, calls } = aLocalWorker(1);
  expect(await submitTo(localWorker, requests)).toHaveLength(3);
  expect([calls.begun.length, calls.freeCount, calls.wakeCount]).toEqual([1, 0, 1]);
  const waiting = (await claimDue(rival)).map(({ requestId }) => requestId);
  expect([...waiting, calls.begun[0]?.requestId].toSorted()).toEqual(
    requests.map(({ request_id }) => request_id).toSorted(),
  );
});

// Without it each repeated output would hold one of the receiver's slots until the process ends.
test('a place is given back when nothing was written for it', async () => {
  const finished = await aFinishedRequest(store, caller);
  const fresh = await intake(store, caller);
  const { localWorker, calls } = aLocalWorker();
  const applied = await submitTo(localWorker, [finished, fresh, fresh]);
  expect(applied).toEqual(['unchanged', 'applied', 'unchanged']);
  expect([calls.begun.map(({ requestId }) => requestId), calls.wakeCount]).toEqual([[fresh.request_id], 0]);
});

// Without it a failing statement would leave its slots taken for as long as the process lives.
test('every place is given back when the statement fails', async () => {
  const request = await intake(store, caller);
  const { localWorker, calls } = aLocalWorker();
  const failing = { ...store, notifier: 'a payload of more than 8000 bytes '.repeat(300) };
  const requests = [request, await intake(store, caller)];
  const { localWorker: full } = aLocalWorker(0);
  expect(await submitTo(full, [request], failing)).toEqual(['rejected']);
  const halfFull = aLocalWorker(1);
  expect(await submitTo(halfFull.localWorker, requests, failing)).toEqual(['rejected', 'rejected']);
  expect(halfFull.calls).toEqual({ begun: [], freeCount: 1, wakeCount: 0 });
  expect(await submitTo(localWorker, requests)).toEqual(['applied', 'applied']);
  expect(calls.begun).toHaveLength(2);
});

// Without it receivers in the middle of a rotation would refuse deliveries begun at once.
test('is signed by every secret that signs now, the latest first', async () => {
  const [first, second, third] = [aWebhookSecret(), aWebhookSecret(), aWebhookSecret()];
  const rotating = await anAccount(store, { webhookSecret: first });
  await rotateWebhookSecret(store, { caller: rotating, next: second });
  await rotateWebhookSecret(store, { caller: rotating, next: third });
  const request = await intake(store, rotating);
  const { localWorker, calls } = aLocalWorker();
  await submitTo(localWorker, [request, await intake(store, caller)]);
  expect(calls.begun.map(({ message }) => message?.secrets)).toEqual([[third, second, first], [secret]]);
});

// Without it the first step of the schedule would be skipped.
test('a first step that is not at once is left to the queue', async () => {
  const { localWorker, calls } = aLocalWorker();
  await submitTo(localWorker, [await intake(store, caller)], { ...store, firstDeliveryDelaySeconds: 60 });
  expect([calls.begun, calls.wakeCount]).toEqual([[], 1]);
});
