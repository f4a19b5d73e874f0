import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { anEntry } from '../../test/ground/an-entry.ts';
import { bulkDeliveries } from '../../test/ground/bulk-deliveries.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  claimDue,
  claimFor,
  finish,
  hold,
} from '../../test/ground/stages.ts';
import { theDeliveries } from '../../test/ground/the-stored.ts';
import { applyHeldOutput, type Caller, redeliver, redeliverExhausted, type Store } from '../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;

const exhausted = { outcome: 'timeout', next: { kind: 'exhausted', reason: 'webhook_exhausted' } } as const;
const LONG_AGO = new Date('2000-01-01T00:00:00Z');

/** A request with an exhausted message; returns the id and the message as sent. */
async function anExhausted(caller: Caller) {
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  const claimed = await claimFor(store, requestId);
  await finish(store, claimed, exhausted);
  return { requestId, message: claimed.message };
}

interface Options {
  readonly since?: Date;
  readonly host?: string;
  readonly limit?: number;
}

async function answerTo(
  caller: Caller,
  token: string | null,
  { of = store, ...options }: Options & { of?: Store } = {},
) {
  const done = await redeliverExhausted(of, { caller, since: LONG_AGO, limit: 1_000, token, ...options });
  if (done.kind === 'other_token') throw new Error('The token is of another count.');
  return done.answer;
}

/** Counts, then has what was counted sent again. */
async function ask(caller: Caller, options: Options & { of?: Store } = {}) {
  const { token, more } = await answerTo(caller, null, options);
  const { redelivered } = token === null ? { redelivered: 0 } : await answerTo(caller, token, options);
  return { redelivered, more };
}

const statusOf = async (caller: Caller, requestId: string) =>
  (await theDeliveries(store, caller, requestId)).map(({ status }) => status);
/** The lines of the caller's calls, one for each request of a line. */
const linesOf = async (caller: Caller) =>
  (await accessLines(stores, caller))
    .filter(([operation]) => operation === 'deliveries.redeliverExhausted')
    .flatMap(([operation, about]) => [about].flat().map((requestId) => [operation, requestId] as const));

// Without it a client whose receiver was down for days would have to request every result by its id.
test('every exhausted message goes out again as it was, recorded as who asked; again finds none', async () => {
  const caller = await anAccount(store);
  const made = [await anExhausted(caller), await anExhausted(caller), await anExhausted(caller)];
  expect(await ask(caller)).toEqual({ redelivered: 3, more: false });
  expect((await linesOf(caller)).toSorted()).toEqual(
    [null, ...made.map(({ requestId }) => requestId)]
      .map((requestId) => ['deliveries.redeliverExhausted', requestId])
      .toSorted(),
  );
  expect(await ask(caller)).toEqual({ redelivered: 0, more: false });
  expect((await linesOf(caller)).at(-1)).toEqual(['deliveries.redeliverExhausted', null]);
  const claimed = await claimDue(store);
  for (const { requestId, message } of made) {
    const again = claimed.find((delivery) => delivery.requestId === requestId);
    expect(again).toMatchObject({ version: 1, roundAttemptNumber: 1, claimsExhausted: false });
    expect(again?.message).toEqual(message);
  }
});

// Without it a client's receiver would get earlier messages a second time.
test('what was delivered, is under way, was corrected or was exhausted before stays as it is', async () => {
  const caller = await anAccount(store);
  const delivered = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, delivered.request_id));
  const underWay = await anExhausted(caller);
  await redeliver(store, { caller, requestId: underWay.requestId });
  const waiting = await aFinishedRequest(store, caller);
  const old = await anExhausted(caller);
  await sql(`update delivery set done_at = now() - interval '2 days' where request_id = $1`, [old.requestId]);
  const corrected = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, corrected.request_id), exhausted);
  const insuranceData = [anEntry({ plan_info: { eligibility_status: 'Inactive' } })];
  const heldId = await hold(store, anOutput(corrected, { insurance_data: insuranceData }));
  await applyHeldOutput(store, { caller, heldId });

  const yesterday = new Date(Date.now() - 86_400_000);
  expect(await ask(caller, { since: yesterday })).toEqual({ redelivered: 0, more: false });
  expect(await statusOf(caller, delivered.request_id)).toEqual(['delivered']);
  expect(await statusOf(caller, underWay.requestId)).toEqual(['pending']);
  expect(await statusOf(caller, waiting.request_id)).toEqual(['pending']);
  expect(await statusOf(caller, old.requestId)).toEqual(['exhausted']);
  expect(await statusOf(caller, corrected.request_id)).toEqual(['exhausted', 'pending']);
  expect(await ask(caller)).toEqual({ redelivered: 1, more: false });
});

// Without it one clinic could trigger calls to another's receiver, or an operator could not help several.
test('an account’s call is for its own, an operator’s for every account', async () => {
  await ask(aPlatformCaller()); // left by other tests
  const [one, other, operator] = [await anAccount(store), await anAccount(store), await anAccount(store)];
  const [ofOne, ofOther] = [await anExhausted(one), await anExhausted(other)];
  expect(await ask(one)).toEqual({ redelivered: 1, more: false });
  expect(await statusOf(other, ofOther.requestId)).toEqual(['exhausted']);
  await finish(store, await claimFor(store, ofOne.requestId), exhausted);
  expect(await ask({ ...operator, acrossAccounts: true })).toEqual({ redelivered: 2, more: false });
  expect((await linesOf(operator)).map(([, requestId]) => requestId).toSorted()).toEqual(
    [null, ofOne.requestId, ofOther.requestId].toSorted(),
  );
});

// Without it one call could hold locks for minutes, or the ten-thousandth message would never be reached.
test('more than one transaction takes go out, those exhausted first up to the limit', async () => {
  const caller = await anAccount(store);
  const { requestId } = await anExhausted(caller);
  await bulkDeliveries(stores, requestId, 700, {
    prefix: '5',
    exhaustedAt: 'now() - make_interval(mins => n)',
  });
  expect(await ask(caller, { limit: 300 })).toEqual({ redelivered: 300, more: true });
  const [pending] = await sql<{ newest: string }>(
    `select min(right(id, 4)) as newest from delivery where account_id = $1 and status = 'pending'`,
    [caller.accountId],
  );
  expect(pending?.newest).toBe('0401'); // those of 700 to 401 minutes ago
  expect(await ask(caller, { limit: 401 })).toEqual({ redelivered: 401, more: false });
});

// Without it two clicks would be two rounds, or deadlock.
test('of ten calls at once each message is put under way by one', async () => {
  const caller = await anAccount(store);
  const { requestId } = await anExhausted(caller);
  await bulkDeliveries(stores, requestId, 300, { prefix: '6', exhaustedAt: 'now()' });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => ask(caller, { of: index % 2 ? store : rival })),
  );
  expect(answers.reduce((sum, { redelivered }) => sum + redelivered, 0)).toBe(301);
  expect((await linesOf(caller)).filter(([, id]) => id !== null)).toHaveLength(301);
});

// Broke: the call took any `since` at its word, and a receiver got everything again at once.
test('nothing goes out but what a dry run of the same since, host and caller counted', async () => {
  const [caller, other] = [await anAccount(store), await anAccount(store)];
  const first = await anExhausted(caller);
  const { host } = new URL(aRequest().callback_url);
  const counted = await answerTo(caller, null);
  expect(counted).toEqual({ matching: 1, redelivered: 0, more: false, token: expect.any(String) });
  expect((await answerTo(caller, null, { host: 'elsewhere.example' })).token).toBeNull();
  const { token } = await answerTo(caller, null, { host });
  const second = await anExhausted(caller);
  const kindOf = async (of: Caller, options: Options, given: string | null) =>
    (await redeliverExhausted(store, { caller: of, since: LONG_AGO, limit: 1, token: given, ...options }))
      .kind;
  expect(await kindOf(caller, {}, token)).toBe('other_token');
  expect(await kindOf(caller, { host: 'elsewhere.example' }, token)).toBe('other_token');
  expect(await kindOf(caller, { host, since: new Date() }, token)).toBe('other_token');
  expect(await kindOf(other, { host }, token)).toBe('other_token');
  expect(await kindOf(caller, { host }, 'x')).toBe('other_token');
  expect(await answerTo(caller, counted.token)).toMatchObject({ matching: 1, redelivered: 1 });
  expect(await answerTo(caller, counted.token)).toMatchObject({ matching: 1, redelivered: 0 });
  expect(await statusOf(caller, first.requestId)).toEqual(['pending']);
  expect(await statusOf(caller, second.requestId)).toEqual(['exhausted']);
});
