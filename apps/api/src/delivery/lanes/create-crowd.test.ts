import { expect, test } from 'vitest';
import { createCrowd } from './create-crowd.ts';

// Without it new deliveries would overtake those in the queue, endlessly while enough new ones arrive.
test('waits everywhere until a round has ended, and then where that round added', () => {
  const crowd = createCrowd();
  expect(crowd.waitsAt('host', 'account')).toBe(true);
  crowd.beginRound();
  crowd.add('host');
  crowd.endRound();
  expect([crowd.waitsAt('host', 'other'), crowd.waitsAt('other', 'account')]).toEqual([true, false]);
});

test('keeps what was added between two rounds until the later one has ended', () => {
  const crowd = createCrowd();
  crowd.beginRound();
  crowd.endRound();
  crowd.add('host');
  expect(crowd.waitsAt('host')).toBe(true);
  crowd.beginRound();
  expect(crowd.waitsAt('host')).toBe(true);
  crowd.endRound();
  expect(crowd.waitsAt('host')).toBe(false);
});

test('waits everywhere again when a round could not look at all', () => {
  const crowd = createCrowd();
  crowd.beginRound();
  crowd.addAll();
  crowd.endRound();
  expect(crowd.waitsAt('any')).toBe(true);
});
