import { expect, test } from 'vitest';
import { freePort } from './free-port.ts';

// Broke: of several callers at once all got the last one's port, and the second server could not listen.
test('callers at once get ports of their own', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));
  expect(new Set(ports).size).toBe(20);
});
