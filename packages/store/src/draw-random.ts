import { randomBytes } from 'node:crypto';

/** Drawn in bulk: with a few bytes per call, the random source took a quarter of an encryption and half of an id. */
const DRAWN_BYTES = 4_096;

let drawn = randomBytes(0);

/** Random bytes from a pool drawn in bulk. No byte is handed out twice. */
export function drawRandom(byteCount: number): Buffer {
  if (drawn.length < byteCount) drawn = randomBytes(DRAWN_BYTES);
  const bytes = drawn.subarray(0, byteCount);
  drawn = drawn.subarray(byteCount);
  return bytes;
}
