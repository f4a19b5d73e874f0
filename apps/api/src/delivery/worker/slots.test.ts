import type { Lane } from '@insurance-verification/store';
import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

/** Slots that leave every lane some. */
function someSlots() {
  const gauge = { set: () => undefined };
  return createSlots({
    lanes: { enter: () => true, leave: () => false, openBreakerCount: () => 0 },
    shards: { mayBegin: () => true, enter: () => undefined, leave: () => undefined },
    metrics: { deliveriesInFlight: gauge, openBreakers: gauge } as never,
    onFree: () => undefined,
    onLeaseFree: () => undefined,
  });
}

type Slots = ReturnType<typeof someSlots>;

/** Whether a new delivery to a lane has to queue. */
const hasToQueue = (slots: Slots, lane: Lane) => slots.reserve(lane, () => undefined) === null;

const aLane = (hostKey: string, lane = 'account'): Lane => ({ hostKey, lane });

/** Free slots, with none for one host. */
const full = (key: string) => ({ hosts: new Map([[key, 0]]), lanes: new Map<string, number>() });

// Without it new deliveries would overtake those in the queue, endlessly while enough new ones arrive.
test('rows wait everywhere until a cycle has ended, and then where that cycle marked', () => {
  const slots = someSlots();
  expect(hasToQueue(slots, aLane('host'))).toBe(true);
  slots.beginCycle();
  slots.markFull(full('host'));
  slots.markFull({ hosts: new Map(), lanes: new Map([['busy', 0]]) });
  slots.endCycle();
  expect(hasToQueue(slots, aLane('host', 'other'))).toBe(true);
  expect(hasToQueue(slots, aLane('other', 'busy'))).toBe(true);
  expect(hasToQueue(slots, aLane('other'))).toBe(false);
});

test('a host marked between two cycles stays so until the later one has ended', () => {
  const slots = someSlots();
  slots.beginCycle();
  slots.endCycle();
  slots.markFull(full('host'));
  expect(hasToQueue(slots, aLane('host'))).toBe(true);
  slots.beginCycle();
  expect(hasToQueue(slots, aLane('host'))).toBe(true);
  slots.endCycle();
  expect(hasToQueue(slots, aLane('host'))).toBe(false);
});

test('rows wait everywhere again when a cycle could not look at all', () => {
  const slots = someSlots();
  slots.beginCycle();
  slots.markAll();
  slots.endCycle();
  expect(hasToQueue(slots, aLane('any'))).toBe(true);
});

// Without it a stop would release what a statement under way is about to hand over.
test('a stop waits for what is reserved, and a reservation that is freed leaves its slot and its lease', async () => {
  const slots = someSlots();
  slots.beginCycle();
  slots.endCycle();
  const room = slots.freeLeases();
  const reservation = slots.reserve(aLane('host'), () => undefined);
  expect([slots.freeLeases(), slots.inFlightCount()]).toEqual([room - 1, 1]);
  let isSettled = false;
  const settled = slots.reservationsSettled().then(() => (isSettled = true));
  await Promise.resolve();
  expect(isSettled).toBe(false);
  reservation?.free();
  await settled;
  expect([slots.freeLeases(), slots.inFlightCount()]).toEqual([room, 0]);
});
