import { expect, test } from 'vitest';
import { BodyMemory } from './body-memory.ts';

const MB = 1024 * 1024;

/** Counts the one-megabyte bodies that an address may have in flight. */
function fill(memory: BodyMemory, address: string): number {
  let count = 0;
  while (count < 1_000 && memory.take(address, MB)) count += 1;
  return count;
}

test('an address has a quarter of the memory, all together 32 MB, and what is given back is there again', () => {
  const memory = new BodyMemory();
  expect(['a', 'b', 'c', 'd', 'e'].map((address) => fill(memory, address))).toEqual([8, 8, 8, 8, 0]);
  memory.giveBack('a', 3 * MB);
  expect(fill(memory, 'b')).toBe(0);
  expect(fill(memory, 'e')).toBe(3);
});
