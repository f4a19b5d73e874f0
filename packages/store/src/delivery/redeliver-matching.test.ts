import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { anEntry } from '../../test/ground/an-entry.ts';
import { bulkDeliveries } from '../../test/ground/bulk-deliveries.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, claimFor, finish, hold } from '../../test/ground/stages.ts';
import { theDeliveries } from '../../test/ground/the-stored.ts';
import { applyHeldOutput, type Caller, redeliverMatching } from '../index.ts';
import type { MatchingRedelivery } from './redeliver-matching.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;

const exhausted = { outcome: 'timeout', next: { kind: 'exhausted', reason: 'webhook_exhausted' } } as const;

async function anExhausted(caller: Caller): Promise<string> {
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, requestId), exhausted);
  return requestId;
}

type Changes = Partial<Omit<MatchingRedelivery, 'caller'>>;
const ask = (caller: Caller, changes: Changes, through = store) =>
  redeliverMatching(through, {
    caller,
    status: 'exhausted',
    since: new Date('2000-01-01T00:00:00Z'),
    limit: 1_000,
    token: null,
    ...changes,
  });
async function count(caller: Caller, changes: Changes = {}) {
  const counted = await ask(caller, changes);
  if (counted.kind === 'other_token') throw new Error('A dry run has no token.');
  return counted.answer;
}
const redelivered = (matching: number, sentCount: number) => ({
  kind: 'redelivered',
  answer: { matching, redelivered: sentCount, more: false, token: null },
});
const statusOf = async (caller: Caller, requestId: string) =>
  (await theDeliveries(store, caller, requestId)).map(({ status }) => status);

// Without it a second click, or an answer that was lost, would trouble receivers twice.
test('what was counted goes out again, once, and each is on record', async () => {
  const caller = await anAccount(store);
  const made = [await anExhausted(caller), await anExhausted(caller)];
  const { token, ...counted } = await count(caller);
  expect(counted).toEqual({ matching: 2, redelivered: 0, more: false });
  for (const id of made) expect(await statusOf(caller, id)).toEqual(['exhausted']);
  expect(await ask(caller, { token })).toEqual(redelivered(2, 2));
  for (const id of made) expect(await statusOf(caller, id)).toEqual(['pending']);
  expect(await ask(caller, { token })).toEqual(redelivered(2, 0));
  const lines = (await accessLines(stores, caller)).filter(
    ([name]) => name === 'deliveries.redeliverMatching',
  );
  expect(lines.map(([, ids]) => ids)).toEqual([null, made, null]);
});

// Without it a thousand could go out where a person had read "three".
test('never more goes out than was counted: not what failed since, not what failed again', async () => {
  const caller = await anAccount(store);
  const before = await anExhausted(caller);
  const { token } = await count(caller);
  const since = await anExhausted(caller);
  expect(await ask(caller, { token })).toEqual(redelivered(1, 1));
  expect(await statusOf(caller, since)).toEqual(['exhausted']);
  await finish(store, await claimFor(store, before), exhausted);
  expect(await ask(caller, { token })).toEqual(redelivered(1, 0));
  expect(await count(caller)).toMatchObject({ matching: 2 });
});

test('a count that the limit cuts short covers the first accepted, and a call no others', async () => {
  const caller = await anAccount(store);
  const requestId = await anExhausted(caller);
  await bulkDeliveries(stores, requestId, 700, { prefix: '5', exhaustedAt: 'now()' });
  const { token, ...counted } = await count(caller, { limit: 300 });
  expect(counted).toEqual({ matching: 300, redelivered: 0, more: true });
  const answers = await Promise.all([ask(caller, { token }), ask(caller, { token }, rival)]);
  const sum = answers.reduce((all, one) => all + ('answer' in one ? one.answer.redelivered : 0), 0);
  expect(sum).toBe(300);
  expect(await ask(caller, { token })).toEqual(redelivered(300, 0));
  const [pending] = await sql<{ count: number; last: string }>(
    `select count(*)::int, max(right(id, 4)) as last from delivery where account_id = $1 and status = 'pending'`,
    [caller.accountId],
  );
  expect(pending).toMatchObject({ count: 300 });
});

test('a token is only of its filters and of its caller’s reach', async () => {
  const [caller, other] = [await anAccount(store), await anAccount(store)];
  await anExhausted(caller);
  const { token } = await count(caller);
  const refused = { kind: 'other_token' };
  expect(await ask(other, { token })).toEqual(refused);
  expect(await ask({ ...caller, acrossAccounts: true }, { token })).toEqual(refused);
  expect(await ask(caller, { token, statusCode: 500 })).toEqual(refused);
  expect(await ask(caller, { token, status: 'delivered' })).toEqual(refused);
  for (const forged of ['', '.', 'x.y', `${token}x`, `${token}`.replace('.', '')])
    expect(await ask(caller, { token: forged })).toEqual(refused);
});

test('what is counted matches every filter, only of current results', async () => {
  const caller = await anAccount(store);
  const timedOut = await anExhausted(caller);
  const delivered = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, delivered.request_id));
  const corrected = await aFinishedRequest(store, caller);
  await finish(store, await claimFor(store, corrected.request_id), exhausted);
  const insuranceData = [anEntry({ plan_info: { eligibility_status: 'Inactive' } })];
  const heldId = await hold(store, anOutput(corrected, { insurance_data: insuranceData }));
  await applyHeldOutput(store, { caller, heldId });

  const cases: readonly (readonly [Changes, number])[] = [
    [{}, 1],
    [{ outcome: 'timeout' }, 1],
    [{ outcome: 'gone' }, 0],
    [{ requestId: timedOut }, 1],
    [{ requestId: 'no request' }, 0],
    [{ status: 'delivered' }, 1],
    [{ status: 'delivered', statusCode: 200 }, 1],
    [{ until: new Date('2001-01-01T00:00:00Z') }, 0],
  ];
  for (const [changes, matching] of cases)
    expect(await count(caller, changes), JSON.stringify(changes)).toMatchObject({ matching });
  const operator = { ...(await anAccount(store)), acrossAccounts: true };
  expect(await count(operator, { accountId: caller.accountId })).toMatchObject({ matching: 1 });
});
