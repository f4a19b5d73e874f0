import { expect, test, vi } from 'vitest';
import { openTestStores } from '../../../test/ground/open-test-stores.ts';
import { anAccount, intake } from '../../../test/ground/stages.ts';
import { aRoute, aVerifier, claim, claimOne, fail, workQueue } from '../../../test/ground/work-queue.ts';
import { advanceWork, countClaimable, type OpenHours, planCallBack } from '../../index.ts';

vi.setConfig({ testTimeout: 60_000 });
const stores = await openTestStores();
const { store, sql } = stores;
const queue = workQueue(stores);
const caller = await anAccount(store);

const HOUR = 3_600;

/** Closed now, and open from in two hours on. */
const CLOSED: OpenHours = {
  timeZone: 'America/Chicago',
  openTimes: () => [],
  openedAt: () => null,
  opensAt: (at) => new Date(at.getTime() + 2_000 * HOUR),
  openSeconds: () => 0,
  secondsAhead: (_, openSeconds) => 2 * HOUR + openSeconds,
  secondsBack: (_, openSeconds) => 10 * HOUR + openSeconds,
};
/** Open since `minutes` ago. */
const openSince = (minutes: number): OpenHours => ({
  timeZone: 'America/Chicago',
  openTimes: (from, until) => [{ from, until }],
  openedAt: (at) => new Date(at.getTime() - 60_000 * minutes),
  opensAt: () => null,
  openSeconds: (from, until) => (until.getTime() - from.getTime()) / 1_000,
  secondsAhead: (_, openSeconds) => openSeconds,
  secondsBack: (_, openSeconds) => openSeconds,
});
const byPhone = (phoneHours: OpenHours | null) => aRoute(['manual_phone_call'], { phoneHours });
const aWaiting = async (payerId?: string) => {
  const { request_id: id } = await intake(store, caller);
  if (payerId) await sql('update work_queue set payer_id = $2 where request_id = $1', [id, payerId]);
  return id ?? '';
};
const untilOf = async (id: string) => {
  const [row] = await sql<{ seconds: number }>(
    'select extract(epoch from channel_until - now())::float8 as seconds from work_queue where request_id = $1',
    [id],
  );
  return row?.seconds ?? Number.NaN;
};

// Without it a verifier would get work whose payer does not answer, and its attempt would be lost.
test('while a payer is closed no phone work of it is claimed or counted', async () => {
  await queue.empty();
  await aWaiting();
  const channels = ['manual_phone_call'] as const;
  const closed = { routes: [byPhone(CLOSED)], channels };
  expect(await claim(store, closed)).toEqual([]);
  expect(await countClaimable(store, { caller: aVerifier(), ...closed })).toMatchObject([{ count: 0 }]);
  const open = { routes: [byPhone(openSince(5))], channels };
  expect(await countClaimable(store, { caller: aVerifier(), ...open })).toMatchObject([{ count: 1 }]);
  expect(await claim(store, open)).toHaveLength(1);
});

test('what is closed by phone is worked in the portal before', async () => {
  await queue.empty();
  await aWaiting();
  const routes = [aRoute(['manual_web_portal', 'manual_phone_call'], { phoneHours: CLOSED })];
  expect(await claim(store, { routes, channels: ['manual_phone_call', 'manual_web_portal'] })).toMatchObject([
    { channel: 'manual_web_portal' },
  ]);
});

// Without it a night would use up the time in which a payer is called.
test('the minutes of its channel do not run while it is closed', async () => {
  await queue.empty();
  const id = await aWaiting();
  await queue.dueSince(id, 5 * HOUR);
  expect(await advanceWork(store, [byPhone(CLOSED)])).toMatchObject({ advancedCount: 0 });
  const routes = [aRoute(['agent_web_portal', 'manual_phone_call'], { phoneHours: CLOSED })];
  const work = await claimOne(store, { routes });
  await fail(store, work, { routes });
  expect(await untilOf(id)).toBeCloseTo(3 * HOUR, -2);
});

test('a call-back keeps the open time that is left', async () => {
  await queue.empty();
  const id = await aWaiting();
  const routes = [byPhone(openSince(5))];
  const { leaseToken } = await claimOne(store, { routes, channels: ['manual_phone_call'] });
  const left = await untilOf(id);
  const at = new Date(Date.now() + 1_000 * HOUR);
  const hours: OpenHours = {
    ...openSince(5),
    openSeconds: () => 600,
    secondsAhead: (_, openSeconds) => 3 * HOUR + openSeconds,
  };
  const planned = await planCallBack(store, {
    caller: aVerifier(),
    requestId: id,
    leaseToken,
    at,
    isOwn: false,
    evidence: {},
    routes: [byPhone(hours)],
  });
  expect([planned.kind, left > 0]).toEqual(['parked', true]);
  expect(await untilOf(id)).toBeCloseTo(4 * HOUR + 600, -2);
});

test('in the hour after it opened its phone work comes first, and later in its turn', async () => {
  await queue.empty();
  const [first, second] = [await aWaiting(), await aWaiting('plan-2')];
  const routesOf = (minutes: number) => [
    byPhone(null),
    aRoute(['manual_phone_call'], { payerId: 'plan-2', phoneHours: openSince(minutes) }),
  ];
  await queue.dueSince(first, HOUR / 2);
  const claimed = await claimOne(store, { routes: routesOf(59), channels: ['manual_phone_call'] });
  expect(claimed.requestId).toBe(second);
  await aWaiting('plan-2');
  const later = await claimOne(store, { routes: routesOf(61), channels: ['manual_phone_call'] });
  expect(later.requestId).toBe(first);
});

test('the sandbox answers at any hour', async () => {
  await queue.empty();
  const tester = await anAccount(store, { mode: 'test' });
  await intake(store, tester);
  const asked = { routes: [byPhone(CLOSED)], channels: ['manual_phone_call'] as const };
  expect(
    await claim(store, { ...asked, caller: { ...aVerifier(), mode: 'test' }, asSandbox: true }),
  ).toHaveLength(1);
});
