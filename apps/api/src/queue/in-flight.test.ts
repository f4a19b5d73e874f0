import { expect, test } from 'vitest';
import { InFlight } from './in-flight.ts';

const untilAborted = ({ signal }: AbortController) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

test('holds each item until its run has ended', async () => {
  const inFlight = new InFlight<string>();
  const { promise, resolve } = Promise.withResolvers<void>();
  inFlight.begin('a', 'one', () => promise);
  inFlight.begin('b', 'two', async () => {});
  expect(inFlight.items()).toEqual(['one', 'two']);
  resolve();
  expect(await inFlight.drain(60_000)).toEqual([]);
  expect([inFlight.size, inFlight.get('a')]).toEqual([0, undefined]);
});

// Without it a stop would wait for a hung receiver, or keep the lease of an attempt that it cut off.
test('a drain aborts what does not end in time, and names it', async () => {
  const inFlight = new InFlight<string>();
  inFlight.begin('a', 'hangs', untilAborted);
  inFlight.begin('b', 'ends', async () => {});
  expect(await inFlight.drain(0)).toEqual(['hangs']);
  expect(inFlight.size).toBe(0);
});
