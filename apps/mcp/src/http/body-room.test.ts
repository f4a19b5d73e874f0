import { expect, test } from 'vitest';
import { BodyRoom } from './body-room.ts';

const MB = 1024 * 1024;

/** Counts the one-megabyte bodies that an address may have in flight. */
function fill(room: BodyRoom, address: string): number {
  let count = 0;
  while (count < 1_000 && room.take(address, MB)) count += 1;
  return count;
}

test('an address has a quarter of the room, all together 32 MB, and what is given back is there again', () => {
  const room = new BodyRoom();
  expect(['a', 'b', 'c', 'd', 'e'].map((address) => fill(room, address))).toEqual([8, 8, 8, 8, 0]);
  room.giveBack('a', 3 * MB);
  expect(fill(room, 'b')).toBe(0);
  expect(fill(room, 'e')).toBe(3);
});
