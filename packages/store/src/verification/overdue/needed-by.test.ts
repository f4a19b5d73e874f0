import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, intake } from '../../../test/ground/stages.ts';
import { aRoute, claim, claimOne, fail, release, ROUTE, workQueue } from '../../../test/ground/work-queue.ts';
import { advanceWork, type Route } from '../../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A request alone in the queue, needed in so many seconds. */
async function neededIn(seconds: number, of = caller): Promise<string> {
  await queue.empty();
  const neededBy = new Date(Date.now() + seconds * 1_000);
  return (await intake(store, of, aRequest(), { neededBy })).request_id;
}

/** Lets time pass for a request. */
const passes = (requestId: string, seconds: number) =>
  sql(
    `update work_queue set waits_since = waits_since - d, needed_by = needed_by - d, channel_until = channel_until - d,
       channel_entered_at = channel_entered_at - d from (select make_interval(secs => $2) as d) as shift
     where request_id = $1`,
    [requestId, seconds],
  );

const advance = async (routes: readonly Route[] = [ROUTE]) =>
  (await advanceWork(store, routes)).advancedCount;

/** Seconds until the request's time in its channel ends; null where its route says it. */
async function secondsLeft(requestId: string): Promise<number | null> {
  const [row] = await sql<{ left: number | null }>(
    `select extract(epoch from channel_until - now())::float8 as left from work_queue where request_id = $1`,
    [requestId],
  );
  return row?.left ?? null;
}

const channelOfRequest = async (requestId: string) => (await queue.row(requestId))['channel'];

// Without it a portal that nobody works for a day would keep what is needed at noon, and nobody would call.
test('a request that is not taken leaves the first channel at half of its time, and has the other half', async () => {
  const id = await neededIn(30 * MINUTE);
  await passes(id, 14 * MINUTE);
  expect(await advance()).toBe(0);
  await passes(id, 2 * MINUTE);
  expect(await advance()).toBe(1);
  expect(await channelOfRequest(id)).toBe('manual_phone_call');
  expect(await queue.attempts(id)).toEqual(['1 agent_web_portal timed_out']);
  expect(await claimOne(store, { channels: ['manual_phone_call'] })).toMatchObject({ requestId: id });
});

test('the whole time of a channel is left where there is enough, and where no time is given', async () => {
  const id = await neededIn(9 * HOUR);
  await passes(id, 59 * MINUTE);
  expect(await advance()).toBe(0);
  await passes(id, 2 * MINUTE);
  expect(await advance()).toBe(1);
  await queue.empty();
  const { request_id: unsaid } = await intake(store, caller);
  await passes(unsaid, 59 * MINUTE);
  expect(await advance()).toBe(0);
});

const THREE = [aRoute(['agent_web_portal', 'manual_web_portal', 'manual_phone_call'])];

test.each([
  ['a failure', async () => fail(store, await claimOne(store, { routes: THREE }), { routes: THREE }), 15],
  ['its own time', async (id: string) => passes(id, 16 * MINUTE).then(() => advance(THREE)), 7],
] as const)('a channel entered after %s gets half of what is left', async (_, leave, minutes) => {
  const id = await neededIn(30 * MINUTE);
  await leave(id);
  expect(await channelOfRequest(id)).toBe('manual_web_portal');
  const left = await secondsLeft(id);
  expect(left).toBeGreaterThan((minutes - 1) * MINUTE);
  expect(left).toBeLessThanOrEqual(minutes * MINUTE);
});

test('a verifier that takes it has half of what is left, and a lease that holds is not cut', async () => {
  const id = await neededIn(30 * MINUTE);
  const work = await claimOne(store);
  const left = await secondsLeft(id);
  expect(left).toBeGreaterThan(14 * MINUTE);
  expect(left).toBeLessThanOrEqual(15 * MINUTE);
  await passes(id, 20 * MINUTE);
  expect(await advance()).toBe(0);
  await release(store, work);
  expect(await advance()).toBe(1);
  expect(await channelOfRequest(id)).toBe('manual_phone_call');
});

// Broke while it was made: a route's last channel would have ended what it still could have found out.
test.each([
  ['the first and only channel', [aRoute(['agent_web_portal'])], 'entry'],
  ['the last channel', [ROUTE], 'manual_phone_call'],
] as const)('%s keeps it for its whole time', async (_, routes, channel) => {
  const id = await neededIn(30 * MINUTE);
  if (channel !== 'entry') await fail(store, await claimOne(store));
  await passes(id, 16 * MINUTE);
  expect(await advance(routes)).toBe(1);
  expect(await advance(routes)).toBe(0);
  expect(await channelOfRequest(id)).toBe(channel);
  expect((await queue.attempts(id)).filter((line) => line.includes('timed_out'))).toEqual([]);
  await passes(id, 30 * MINUTE); // needed a quarter of an hour ago
  expect(await advance(routes)).toBe(0);
  await passes(id, 20 * MINUTE);
  expect(await advance(routes)).toBe(1);
  expect(await queue.row(id)).toMatchObject({ outcome: 'error_verifying' });
});

test('a channel has a minute, however soon it is needed, and its whole time once that is past', async () => {
  const soon = await neededIn(10);
  await fail(store, await claimOne(store));
  expect(await secondsLeft(soon)).toBeGreaterThan(58);
  const late = await neededIn(10);
  await passes(late, 20);
  await fail(store, await claimOne(store));
  expect(await secondsLeft(late)).toBeGreaterThan(59 * MINUTE);
});

test('a request of a test account stays where the sandbox has it', async () => {
  const id = await neededIn(2 * MINUTE, await anAccount(store, { mode: 'test' }));
  await passes(id, 10 * MINUTE);
  expect(await advance()).toBe(0);
  expect(await channelOfRequest(id)).toBe('entry');
  expect(await claim(store)).toEqual([]);
});
