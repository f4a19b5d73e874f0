import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClaimPace } from './create-claim-pace.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A pace after a round that left so many attempts under way. */
function aPace({ claimedCount, inFlightCount }: { claimedCount: number; inFlightCount: number }) {
  let claimCount = 0;
  const pace = createClaimPace(() => (claimCount += 1));
  pace.beginRound();
  pace.endRound({ claimedCount, inFlightCount });
  const leave = (count: number, wasFull = true) => {
    for (let left = 0; left < count; left += 1) pace.left(wasFull);
  };
  return { pace, leave, claimCount: () => claimCount };
}

// Without it each claim would lease a dozen rows, at the price of a hundred.
test('claims when a third of the places are free again', () => {
  const { leave, claimCount } = aPace({ claimedCount: 99, inFlightCount: 99 });
  leave(32);
  expect(claimCount()).toBe(0);
  leave(1);
  expect(claimCount()).toBe(1);
});

// Without it the next row for a slow receiver would wait until others have answered too.
test('claims for a single place after ten milliseconds, and at once when it was the only one', () => {
  const busy = aPace({ claimedCount: 99, inFlightCount: 99 });
  busy.leave(2);
  vi.advanceTimersByTime(9);
  expect(busy.claimCount()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(busy.claimCount()).toBe(1);
  const idle = aPace({ claimedCount: 1, inFlightCount: 1 });
  idle.leave(1);
  expect(idle.claimCount()).toBe(1);
});

test('places that nobody waits for cause no claim', () => {
  const { leave, claimCount } = aPace({ claimedCount: 0, inFlightCount: 3 });
  leave(3, false);
  vi.advanceTimersByTime(60_000);
  expect(claimCount()).toBe(0);
});

// Without it the rest of a queue would wait for the poll whenever all attempts end while it is being claimed from.
test('places that came free during a round that found rows are for the next one', () => {
  const { pace, leave, claimCount } = aPace({ claimedCount: 0, inFlightCount: 0 });
  pace.beginRound();
  leave(5, false);
  expect(claimCount()).toBe(0);
  pace.endRound({ claimedCount: 5, inFlightCount: 0 });
  expect(claimCount()).toBe(1);
  pace.beginRound();
  leave(5, false);
  pace.endRound({ claimedCount: 0, inFlightCount: 0 });
  vi.advanceTimersByTime(60_000);
  expect(claimCount()).toBe(1);
});
