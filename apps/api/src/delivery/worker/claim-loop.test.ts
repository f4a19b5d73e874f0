import type { Lane } from '@insurance-verification/store';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { POLL_MS } from '../../queue/start-polling.ts';
import { claimEveryLane, type ClaimedPage, startClaimLoop } from './claim-loop.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A loop after a cycle that claimed so many rows and left so many attempts under way. */
async function aLoop(first: { claimedCount: number; inFlightCount: number }) {
  let claimCount = 0;
  let claim = () => first.claimedCount;
  const loop = startClaimLoop({
    claimPage: async () => {
      claimCount += 1;
      return { end: null, claimedCount: claim(), isFull: false };
    },
    slots: {
      inFlightCount: () => first.inFlightCount,
      beginCycle: () => undefined,
      endCycle: () => undefined,
    },
    onFailure: (err) => expect.fail(String(err)),
  });
  onTestFinished(loop.stop);
  await vi.advanceTimersByTimeAsync(0);
  claimCount = 0;
  const free = async (count: number, wasFull = true) => {
    for (let freed = 0; freed < count; freed += 1) loop.slotFreed(wasFull);
    await vi.advanceTimersByTimeAsync(0);
  };
  /** Replaces what a claim does, and how many rows it takes. */
  const onClaim = (next: () => number) => void (claim = next);
  return { loop, free, onClaim, claimCount: () => claimCount };
}

// Without it each claim would lease a dozen rows, at the price of a hundred.
test('claims when a third of the slots are free again', async () => {
  const { free, claimCount } = await aLoop({ claimedCount: 99, inFlightCount: 99 });
  await free(32);
  expect(claimCount()).toBe(0);
  await free(1);
  expect(claimCount()).toBe(1);
});

// Without it the next row for a slow receiver would wait until others have answered too.
test('claims for a single slot after ten milliseconds, and at once when it was the only one', async () => {
  const busy = await aLoop({ claimedCount: 99, inFlightCount: 99 });
  await busy.free(2);
  await vi.advanceTimersByTimeAsync(9);
  expect(busy.claimCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(busy.claimCount()).toBe(1);
  const idle = await aLoop({ claimedCount: 1, inFlightCount: 1 });
  await idle.free(1);
  expect(idle.claimCount()).toBe(1);
});

test('slots with no waiter cause no claim', async () => {
  const { free, claimCount } = await aLoop({ claimedCount: 0, inFlightCount: 3 });
  await free(3, false);
  await vi.advanceTimersByTimeAsync(POLL_MS - 1);
  expect(claimCount()).toBe(0);
});

// Without it the rest of a queue would wait for the poll whenever all attempts end while it is being claimed from.
test('slots that came free during a cycle that found rows are for the next one', async () => {
  const { loop, onClaim, claimCount } = await aLoop({ claimedCount: 0, inFlightCount: 0 });
  const claimedCounts = [5, 0];
  onClaim(() => {
    for (let freed = 0; freed < 5; freed += 1) loop.slotFreed(false);
    return claimedCounts.shift() ?? 0;
  });
  loop.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(claimCount()).toBe(2);
  await vi.advanceTimersByTimeAsync(POLL_MS - 1);
  expect(claimCount()).toBe(2);
});

/** Lanes in the order of the queue, which always have rows, and a worker with slots for some of them in each cycle. */
function aQueue(laneCount: number, slotsEachCycle: number) {
  const lanes = Array.from({ length: laneCount }, (_, host): Lane => ({
    hostKey: Buffer.from([host]).toString('base64'),
    lane: `acct_${host % 2}`,
  }));
  const served: number[] = [];
  let servedTo: Lane | null = null;
  let slots = 0;
  let claimCount = 0;
  const claimPage = async (after: Lane | null): Promise<ClaimedPage> => {
    claimCount += 1;
    const first = after ? lanes.findIndex(({ hostKey }) => hostKey === after.hostKey) + 1 : 0;
    const page = lanes.slice(first, first + 5);
    const taken = page.slice(0, slots);
    served.push(...taken.map((_, at) => first + at));
    slots -= taken.length;
    const isFull = slots === 0 && taken.length > 0;
    const end = isFull ? taken.at(-1) : page.at(-1);
    return { end: (end === lanes.at(-1) ? null : end) ?? null, claimedCount: taken.length, isFull };
  };
  return {
    /** The lanes that a cycle took from. */
    cycle: async () => {
      served.length = 0;
      claimCount = 0;
      slots = slotsEachCycle;
      const cycle = await claimEveryLane(claimPage, servedTo);
      ({ servedTo } = cycle);
      const { claimedCount, mayHaveMore } = cycle;
      return { lanes: [...served], claimedCount, mayHaveMore, claimCount };
    },
  };
}

// Without it a new delivery would wait for as long as the hosts before its own have more than there are slots for.
test('a cycle continues after the lane that was served last, and around', async () => {
  const queue = aQueue(12, 5);
  expect(await queue.cycle()).toMatchObject({ lanes: [0, 1, 2, 3, 4], claimedCount: 5, mayHaveMore: true });
  expect((await queue.cycle()).lanes).toEqual([5, 6, 7, 8, 9]);
  expect((await queue.cycle()).lanes).toEqual([10, 11, 0, 1, 2]);
  expect((await queue.cycle()).lanes).toEqual([3, 4, 5, 6, 7]);
});

// Without it the lanes behind the start of a cycle would be walked twice.
test('a cycle visits every lane, and ends where it began', async () => {
  const queue = aQueue(20, 0);
  expect(await queue.cycle()).toEqual({ lanes: [], claimedCount: 0, mayHaveMore: false, claimCount: 4 });
  const busy = aQueue(20, 6);
  await busy.cycle(); // to lane 5
  expect(await busy.cycle()).toMatchObject({ lanes: [6, 7, 8, 9, 10, 11], claimCount: 6 });
});
