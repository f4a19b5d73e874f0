import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ProblemError } from '../procedure/problem.ts';
import { readUpload, SenderClock, type UploadWatch } from './read-upload.ts';

/** Reads an upload of a real socket with `watch`. */
async function anUpload(watch: UploadWatch) {
  const opened = new EventEmitter<{ request: [IncomingMessage] }>();
  const server = createServer((req) => opened.emit('request', req)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const sending = request({ port: (server.address() as AddressInfo).port, method: 'POST' });
  sending.on('error', () => undefined);
  onTestFinished(() => void sending.destroy());
  const coming = once(opened, 'request') as Promise<[IncomingMessage]>;
  sending.flushHeaders();
  const [req] = await coming;
  return { sending, parts: readUpload(req, watch) };
}

// Without it one sender of large parts keeps the event loop until its file ends.
test('each part is read in a turn of its own', async () => {
  const { sending, parts } = await anUpload(async () => undefined);
  sending.end(Buffer.alloc(2_000_000));
  let turnCount = 0;
  let isOver = false;
  const countTurns = () => {
    turnCount += 1;
    if (!isOver) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  let partCount = 0;
  for await (const _ of parts) partCount += 1;
  isOver = true;
  expect(partCount).toBeGreaterThan(20);
  expect(turnCount).toBeGreaterThanOrEqual(partCount);
});

test('the watch is called while nothing comes, and ends the upload', async () => {
  const seen: boolean[] = [];
  const { sending, parts } = await anUpload(async ({ hasNewBytes }) => {
    seen.push(hasNewBytes);
    if (seen.length > 2) throw new Error('It has ended.');
  });
  sending.write('a');
  await expect(async () => {
    for await (const _ of parts) await until('a part has come', async () => seen.length > 0);
  }).rejects.toThrow('It has ended.');
  expect(seen).toEqual([true, false, false]);
});

describe('the time of a sender', () => {
  const isOver = (steps: readonly (readonly [ms: number, bytes: number])[]): boolean => {
    const clock = new SenderClock();
    try {
      for (const [ms, bytes] of steps) clock.add(ms, bytes);
      return false;
    } catch (err) {
      expect(err).toMatchObject({ code: 'request_timeout' } satisfies Partial<ProblemError>);
      return true;
    }
  };
  const each = (count: number, ms: number, bytes: number) =>
    Array.from({ length: count }, () => [ms, bytes] as const);

  test.each([
    ['a byte each second', each(60, 1_000, 1), true],
    ['a byte each 20 seconds', each(3, 20_000, 1), true],
    ['4 KB in 30 seconds', each(30, 1_000, 137), false],
    ['4 KB in 30 seconds, then silence', [...each(30, 1_000, 137), ...each(30, 1_000, 0)], true],
    ['a minute of nothing but the service’s own time', each(1_000, 0, 65_536), false],
    ['an hour, however fast', each(3_600, 1_000, 1_000_000), true],
    ['less than an hour', each(3_599, 1_000, 1_000), false],
  ])('%s: over is %3$j', (_, steps, expected) => {
    expect(isOver(steps)).toBe(expected);
  });
});
