import { expect, test } from 'vitest';
import { discard } from './read-body.ts';

test('a large buffer is empty at once', () => {
  const bytes = Buffer.allocUnsafeSlow(65_536);
  discard(bytes);
  expect([bytes.length, bytes.buffer.byteLength]).toEqual([0, 0]);
});

// Node cuts small buffers from one that other code uses too.
test('a part of a larger buffer, or a small one, is not copied', () => {
  const whole = Buffer.allocUnsafeSlow(65_536);
  discard(whole.subarray(0, 32_768));
  const small = Buffer.from('{}');
  discard(small);
  expect([whole.length, small.toString()]).toEqual([65_536, '{}']);
});
