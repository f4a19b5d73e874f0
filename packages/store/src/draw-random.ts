import { randomBytes } from 'node:crypto';

/** Asked for a few bytes at a time, the random source took a quarter of a seal, and half of an id. */
const DRAWN_BYTES = 4_096;

let drawn = randomBytes(0);

/** Random bytes, out of many that are drawn together. Each is given out once. */
export function drawRandom(byteCount: number): Buffer {
  if (drawn.length < byteCount) drawn = randomBytes(DRAWN_BYTES);
  const bytes = drawn.subarray(0, byteCount);
  drawn = drawn.subarray(byteCount);
  return bytes;
}
