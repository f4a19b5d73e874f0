import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { sql as raw } from 'kysely';
import { expect, test, vi } from 'vitest';
import { deliveryQueue } from '../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  aWebhookSecret,
  claimDue,
  claimFor,
  finish,
  intake,
  submit,
} from '../../test/ground/stages.ts';
import { theDeliveries } from '../../test/ground/the-stored.ts';
import { replaceWebhookSecret } from '../access/webhook-secrets.ts';
import { rotateWebhookSecret } from '../index.ts';

vi.setConfig({ testTimeout: 30_000 });
const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = deliveryQueue(stores);
const secret = aWebhookSecret();
const caller = await anAccount(store, { webhookSecret: secret });

const queued = async (...dueIn: number[]) => {
  await queue.empty();
  const ids: string[] = [];
  for (const seconds of dueIn) {
    const { request_id: requestId } = await aFinishedRequest(store, caller);
    await queue.dueIn(requestId, seconds);
    ids.push(requestId);
  }
  return ids;
};
const claim = async (limit = 100) => (await claimDue(store, limit)).map(({ requestId }) => requestId);

// Without it the worker would lack the content, the address or the secrets.
test('a claim holds everything an attempt needs', async () => {
  await queue.empty();
  const callbackUrl = 'https://user:secret@receiver.example:8443/hook?x=1';
  const request = await aFinishedRequest(store, caller, aRequest({ callback_url: callbackUrl }));
  const [claimed] = await claimDue(rival, 10);
  expect(claimed).toEqual({
    deliveryId: expect.stringMatching(/^msg_/),
    leaseToken: expect.stringMatching(/^[0-9a-f-]{36}$/),
    requestId: request.request_id,
    eventId: null,
    endpointId: null,
    subscription: null,
    isEndpointOff: false,
    isEventAltered: false,
    hasBenefits: false,
    version: 1,
    accountId: caller.accountId,
    lane: caller.accountId,
    hostKey: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
    roundAttemptNumber: 1,
    acceptedAt: expect.any(Date),
    claimsExhausted: false,
    message: { callbackUrl, body: expect.any(Buffer), secrets: [secret] },
  });
});

// Without it the row that has waited longest could wait forever behind newer ones.
test('the longest due come first, what is not due does not come', async () => {
  const [third, later, first, second] = await queued(-10, 60, -300, -20);
  expect(await claim(2)).toEqual([first, second]);
  expect(await claim(2)).toEqual([third]);
  expect(await claim()).toEqual([]);
  await queue.dueIn(later ?? '', 0);
  expect(await claim()).toEqual([later]);
});

// Without it a row whose worker died would overtake rows that have been due for longer.
test('a row whose lease lapsed is due since then', async () => {
  const [lapsed, waiting] = await queued(-1_000, -500);
  const { deliveryId } = await claimFor(store, lapsed ?? '');
  await queue.lapse(deliveryId, 100);
  await queue.dueIn(waiting ?? '', -200);
  await sql(
    'update delivery_queue set lease = null, leased_at = null, leased_until = null where request_id = $1',
    [waiting],
  );
  expect(await claim()).toEqual([waiting, lapsed]);
});

// Without it two workers would send the same webhook at once.
test('a leased row is given again only after its lease lapses, then under another token', async () => {
  const [requestId] = await queued(0);
  const first = await claimFor(store, requestId ?? '');
  expect(await claimDue(rival, 10)).toEqual([]);
  await queue.lapse(first.deliveryId);
  const second = await claimFor(rival, requestId ?? '');
  expect(second.deliveryId).toBe(first.deliveryId);
  expect(second.leaseToken).not.toBe(first.leaseToken);
  expect(second.message).toEqual(first.message);
});

// Without it one slow transaction on a row would stop every worker.
test('a row that someone has locked is passed over, not waited for', async () => {
  const [locked, free] = await queued(-20, -10);
  await rival.db.transaction().execute(async (trx) => {
    await raw`select from delivery_queue where request_id = ${locked} for update`.execute(trx);
    expect(await claim()).toEqual([free]);
  });
  expect(await claim()).toEqual([locked]);
});

// Without it a row that kills every worker would be claimed forever.
test('the twenty-first claim without a finished attempt says so', async () => {
  const [requestId] = await queued(0);
  let claims = 0;
  for (;;) {
    const claimed = await claimFor(store, requestId ?? '');
    claims += 1;
    if (claimed.claimsExhausted) break;
    await queue.lapse(claimed.deliveryId);
  }
  expect(claims).toBe(21);
});

// Without it a receiver that needs many attempts would be given up as if it killed workers.
test('a finished attempt starts the count of claims over', async () => {
  const [requestId] = await queued(0);
  const claimed = await claimFor(store, requestId ?? '');
  await sql('update delivery_queue set claim_count = 20 where delivery_id = $1', [claimed.deliveryId]);
  await finish(store, claimed, { outcome: 'timeout', next: { kind: 'retry', delaySeconds: 0 } });
  expect(await claimFor(store, requestId ?? '')).toMatchObject({
    claimsExhausted: false,
    roundAttemptNumber: 2,
  });
});

// Without it a rotation would break every receiver that has not changed its secret, or keep a leaked one forever.
test('during a rotation both secrets come, afterwards only the new one', async () => {
  const [old, fresh] = [aWebhookSecret(), aWebhookSecret()];
  const rotating = await anAccount(store, { webhookSecret: old });
  const request = await aFinishedRequest(store, rotating);
  await rotateWebhookSecret(store, { caller: rotating, next: fresh });
  const during = await claimFor(store, request.request_id);
  expect(during.message?.secrets).toEqual([fresh, old]);
  await sql(`update account set previous_webhook_secret_until = now() where id = $1`, [rotating.accountId]);
  await queue.lapse(during.deliveryId);
  expect((await claimFor(store, request.request_id)).message?.secrets).toEqual([fresh]);
});

// Without it a second rotation on one day would break the receivers that still need the first one's overlap.
test('each of several secrets signs until its own day is over', async () => {
  const [first, second, third] = [aWebhookSecret(), aWebhookSecret(), aWebhookSecret()];
  const rotating = await anAccount(store, { webhookSecret: first });
  const other = await anAccount(store);
  await rotateWebhookSecret(store, { caller: other, next: aWebhookSecret() });
  const request = await aFinishedRequest(store, rotating);
  await rotateWebhookSecret(store, { caller: rotating, next: second });
  await rotateWebhookSecret(store, { caller: rotating, next: third });
  const all = await claimFor(store, request.request_id);
  expect(all.message?.secrets).toEqual([third, second, first]);
  await sql(`update earlier_webhook_secret set valid_until = now() where account_id = $1`, [
    rotating.accountId,
  ]);
  await queue.lapse(all.deliveryId);
  const later = await claimFor(store, request.request_id);
  expect(later.message?.secrets).toEqual([third, second]);
  // Back to a secret that already signs: its signature is not needed twice.
  await rotateWebhookSecret(store, { caller: rotating, next: second });
  await queue.lapse(later.deliveryId);
  expect((await claimFor(store, request.request_id)).message?.secrets).toEqual([second, third]);
});

// Starts with ever new secrets are not refused; a sender given more than it accepts would send nothing.
test('of more secrets than one webhook is signed with the latest come', async () => {
  const secrets = Array.from({ length: 13 }, aWebhookSecret);
  const rotating = await anAccount(store, { webhookSecret: secrets[0] ?? expect.fail() });
  const request = await aFinishedRequest(store, rotating);
  for (const next of secrets.slice(1)) {
    await store.db
      .transaction()
      .execute((db) => replaceWebhookSecret({ db, vault: store.vault }, rotating.accountId, next));
  }
  const { message } = await claimFor(store, request.request_id);
  expect(message?.secrets).toEqual(secrets.toReversed().slice(0, 10));
});

// Without it caps and fairness by host would take one receiver for several, or reveal the receivers.
test('equal hosts have equal keys, by host and port', async () => {
  const keyOf = async (callbackUrl: string) => {
    const request = await intake(store, caller, aRequest({ callback_url: callbackUrl }));
    await submit(store, anOutput(request));
    return (await claimFor(store, request.request_id)).hostKey;
  };
  const key = await keyOf('https://receiver.example/a');
  expect(await keyOf('https://u:p@RECEIVER.example:443/b')).toBe(key);
  expect(await keyOf('https://receiver.example:8443/a')).not.toBe(key);
  expect(await keyOf('http://receiver.example/a')).not.toBe(key);
  expect(await keyOf('https://other.example/a')).not.toBe(key);
});

// Without it (fault 2) nobody could see that a worker died during an attempt.
test('an attempt whose worker was lost is written down at the next claim, and is not one of the round', async () => {
  const [requestId] = await queued(0);
  const lost = await claimFor(store, requestId ?? '');
  await sql(
    `update delivery_queue set leased_at = now() - interval '13 s', leased_until = now() - interval '1 s'
     where delivery_id = $1`,
    [lost.deliveryId],
  );
  expect(await claimFor(rival, requestId ?? '')).toMatchObject({ roundAttemptNumber: 1 });
  const [delivery] = await theDeliveries(store, caller, requestId ?? '');
  expect(delivery?.attempts).toEqual([
    {
      number: 1,
      at: expect.any(String),
      outcome: 'worker_lost',
      status_code: null,
      duration_ms: 12_000,
      response_snippet: null,
    },
  ]);
  expect(await queue.row(lost.deliveryId)).toMatchObject({ attempt_count: 1, round_attempt_count: 0 });
});
