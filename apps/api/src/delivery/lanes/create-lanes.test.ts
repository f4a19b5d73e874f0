import { expect, test } from 'vitest';
import { createLanes, type HostAnswer } from './create-lanes.ts';

const aLane = (hostKey: string, lane = 'account') => ({ hostKey, lane });
const delivered: HostAnswer = { verdict: 'delivered', durationMs: 12 };
const failed: HostAnswer = { verdict: 'failed', durationMs: 12 };
const neither: HostAnswer = { verdict: 'neither', durationMs: 12 };

function aClock() {
  const clock = { nowMs: 0 };
  return { clock, lanes: createLanes(() => clock.nowMs) };
}

/** How many deliveries of a lane get in now; they all leave again, with no verdict on the host. */
function slotsOf(lanes: ReturnType<typeof createLanes>, lane: ReturnType<typeof aLane>): number {
  let count = 0;
  while (lanes.enter(lane)) count += 1;
  for (let left = 0; left < count; left += 1) lanes.leave(lane, neither);
  return count;
}

function attempt(lanes: ReturnType<typeof createLanes>, lane: ReturnType<typeof aLane>, answer: HostAnswer) {
  expect(lanes.enter(lane)).toBe(true);
  return lanes.leave(lane, answer);
}

test('gives a host two slots, one more for each delivery, and never more than ten', () => {
  const lanes = createLanes();
  const lane = aLane('host');
  expect(slotsOf(lanes, lane)).toBe(2);
  for (let slots = 3; slots <= 10; slots += 1) {
    attempt(lanes, lane, delivered);
    expect(slotsOf(lanes, lane)).toBe(slots);
  }
  attempt(lanes, lane, delivered);
  expect(slotsOf(lanes, lane)).toBe(10);
});

test('halves the slots of a host that fails, and leaves it one', () => {
  const lanes = createLanes();
  const lane = aLane('host');
  for (let count = 0; count < 8; count += 1) attempt(lanes, lane, delivered);
  const slots = [5, 2, 1, 1].map(() => {
    attempt(lanes, lane, failed);
    return slotsOf(lanes, lane);
  });
  expect(slots).toEqual([5, 2, 1, 1]);
});

test('keeps a slow host to two slots while its account is half full, a prompt one not', () => {
  const lanes = createLanes();
  for (let count = 0; count < 8; count += 1) {
    attempt(lanes, aLane('slow'), { verdict: 'delivered', durationMs: 1_000 });
    attempt(lanes, aLane('prompt'), delivered);
  }
  expect(slotsOf(lanes, aLane('slow'))).toBe(10);
  for (let count = 0; count < 50; count += 1) lanes.enter(aLane(`host ${count}`));
  expect(lanes.freeSlots().hosts.get('slow')).toBe(2);
  expect(slotsOf(lanes, aLane('slow'))).toBe(2);
  expect(slotsOf(lanes, aLane('prompt'))).toBe(10);
  expect(slotsOf(lanes, aLane('slow', 'a quiet account'))).toBe(10);
});

test('counts a host over its accounts, and keeps hosts apart', () => {
  const lanes = createLanes();
  expect(lanes.enter(aLane('host', 'one'))).toBe(true);
  expect(lanes.enter(aLane('host', 'other'))).toBe(true);
  expect(lanes.enter(aLane('host', 'third'))).toBe(false);
  expect(lanes.enter(aLane('another', 'one'))).toBe(true);
});

test('lets a hundred deliveries of an account in, over however many hosts', () => {
  const lanes = createLanes();
  for (let count = 0; count < 100; count += 1) expect(lanes.enter(aLane(`host ${count}`))).toBe(true);
  expect(lanes.enter(aLane('one more'))).toBe(false);
  expect(lanes.freeSlots().lanes).toEqual(new Map([['account', 0]]));
  expect(lanes.enter(aLane('one more', 'another'))).toBe(true);
});

test('leaves room for an account next to fifty hosts of it that hang', () => {
  const lanes = createLanes();
  for (let host = 0; host < 49; host += 1) while (lanes.enter(aLane(`hung ${host}`)));
  expect(lanes.enter(aLane('quick'))).toBe(true);
});

test('says that a lane was full, so that what waits is claimed', () => {
  const lanes = createLanes();
  lanes.enter(aLane('host'));
  lanes.enter(aLane('host'));
  expect(lanes.leave(aLane('host'), delivered)).toBe(true);
  expect(lanes.leave(aLane('host'), delivered)).toBe(false);
});

test('returns the freeSlots of hosts with fewer than ten, and of busy accounts', () => {
  const lanes = createLanes();
  expect(lanes.freeSlots()).toEqual({ perHost: 10, perAccount: 100, hosts: new Map(), lanes: new Map() });
  lanes.enter(aLane('host'));
  expect(lanes.freeSlots()).toMatchObject({
    hosts: new Map([['host', 1]]),
    lanes: new Map([['account', 99]]),
  });
  lanes.leave(aLane('host'), neither);
  expect(lanes.freeSlots()).toMatchObject({ hosts: new Map([['host', 2]]), lanes: new Map() });
});

test('closes a host for thirty seconds after ten failures, then lets one through', () => {
  const { clock, lanes } = aClock();
  const lane = aLane('dead');
  for (let count = 0; count < 10; count += 1) attempt(lanes, lane, failed);
  expect(lanes.openBreakerCount()).toBe(1);
  expect(lanes.enter(lane)).toBe(false);
  expect(lanes.freeSlots().hosts).toEqual(new Map([['dead', 0]]));
  clock.nowMs = 30_000;
  expect(lanes.enter(lane)).toBe(true);
  expect(lanes.enter(lane)).toBe(false);
  expect(lanes.leave(lane, delivered)).toBe(true);
  expect(lanes.openBreakerCount()).toBe(0);
  expect(slotsOf(lanes, lane)).toBe(2);
});

test('tries a closed host at once when someone asks', () => {
  const lanes = createLanes();
  for (let count = 0; count < 10; count += 1) attempt(lanes, aLane('dead'), failed);
  lanes.probe('dead');
  lanes.probe('a stranger');
  expect(slotsOf(lanes, aLane('dead'))).toBe(1);
});

test('forgets hosts that were quiet for five minutes, once it knows a thousand', () => {
  const { clock, lanes } = aClock();
  for (let count = 0; count < 999; count += 1) attempt(lanes, aLane(`host ${count}`), delivered);
  lanes.enter(aLane('busy'));
  clock.nowMs = 300_000;
  attempt(lanes, aLane('new'), delivered);
  expect([...lanes.freeSlots().hosts.keys()]).toEqual(['busy', 'new']);
});
