import type { Lane } from '@insurance-verification/store';
import { expect, test } from 'vitest';
import { type ClaimedPage, createLaneRound } from './create-lane-round.ts';

/** Lanes in the order of the queue, which always have rows, and a worker with room for some of them in each round. */
function aQueue(laneCount: number, roomEachRound: number) {
  const lanes = Array.from({ length: laneCount }, (_, host): Lane => ({
    hostKey: Buffer.from([host]).toString('base64'),
    accountId: `acct_${host % 2}`,
  }));
  const served: number[] = [];
  let room = 0;
  let claimCount = 0;
  const claimPage = async (after: Lane | null): Promise<ClaimedPage> => {
    claimCount += 1;
    const first = after ? lanes.findIndex(({ hostKey }) => hostKey === after.hostKey) + 1 : 0;
    const page = lanes.slice(first, first + 5);
    const taken = page.slice(0, room);
    served.push(...taken.map((_, at) => first + at));
    room -= taken.length;
    const isFull = room === 0 && taken.length > 0;
    const end = isFull ? taken.at(-1) : page.at(-1);
    return { end: (end === lanes.at(-1) ? null : end) ?? null, claimedCount: taken.length, isFull };
  };
  const claimLanes = createLaneRound(claimPage);
  return {
    /** The lanes that a round took from. */
    round: async () => {
      served.length = 0;
      claimCount = 0;
      room = roomEachRound;
      const { claimedCount, mayHaveMore } = await claimLanes();
      return { lanes: [...served], claimedCount, mayHaveMore, claimCount };
    },
  };
}

// Without it a new delivery would wait for as long as the hosts before its own have more than there is room for.
test('a round goes on behind the lane that was served last, and around', async () => {
  const queue = aQueue(12, 5);
  expect(await queue.round()).toMatchObject({ lanes: [0, 1, 2, 3, 4], claimedCount: 5, mayHaveMore: true });
  expect((await queue.round()).lanes).toEqual([5, 6, 7, 8, 9]);
  expect((await queue.round()).lanes).toEqual([10, 11, 0, 1, 2]);
  expect((await queue.round()).lanes).toEqual([3, 4, 5, 6, 7]);
});

// Without it the lanes behind the start of a round would be walked twice.
test('a round looks at every lane, and ends where it began', async () => {
  const queue = aQueue(20, 0);
  expect(await queue.round()).toEqual({ lanes: [], claimedCount: 0, mayHaveMore: false, claimCount: 4 });
  const busy = aQueue(20, 6);
  await busy.round(); // to lane 5
  expect(await busy.round()).toMatchObject({ lanes: [6, 7, 8, 9, 10, 11], claimCount: 6 });
});
