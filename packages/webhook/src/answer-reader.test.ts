import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Answer, AnswerReader, parseRetryAfter } from './answer-reader.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A reader whose request was answered 200 on a connection that shows whether it was closed. */
function aReader({ isAnswered = true, signal }: { isAnswered?: boolean; signal?: AbortSignal } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  promise.catch(() => undefined); // asked for later
  const reader = new AnswerReader({ resolve, reject }, { totalTimeoutMs: 60_000, signal });
  const connection = {
    isClosed: false,
    aborted: false,
    paused: false,
    reason: null,
    abort: () => void (connection.isClosed = true),
    pause: () => undefined,
    resume: () => undefined,
  };
  if (isAnswered) {
    reader.onRequestStart(connection);
    reader.onResponseStart(connection, 200, {});
  }
  /** Pieces of 1 KB of a repeated digit, until the connection is closed. @returns how many were taken. */
  const send = (pieces: number) => {
    let count = 0;
    for (; count < pieces && !connection.isClosed; count += 1)
      reader.onResponseData(connection, Buffer.alloc(1024, String(count % 10)));
    return count;
  };
  const snippet = async () => Buffer.from((await promise).responseSnippet ?? []).toString();
  return { reader, connection, send, snippet, answer: promise };
}

test('reads a body within 64 KB to its end, so the connection can be used again, and keeps 2 KB', async () => {
  const { reader, connection, send, snippet } = aReader();
  expect(send(63)).toBe(63);
  reader.onResponseEnd();
  expect(await snippet()).toBe('0'.repeat(1024) + '1'.repeat(1024));
  expect(connection.isClosed).toBe(false);
});

test('stops at 64 KB of a body of 10 MB and closes the connection', async () => {
  const { send, snippet } = aReader();
  expect(send(10_240)).toBe(64);
  expect(await snippet()).toHaveLength(2048);
});

test('a body that stops coming is given up in time, with what came before', async () => {
  const { reader, connection, snippet } = aReader();
  reader.onResponseData(connection, Buffer.from('half'));
  vi.advanceTimersByTime(1_999);
  expect(connection.isClosed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(connection.isClosed).toBe(true);
  expect(await snippet()).toBe('half');
});

test('an empty body is no snippet, and a broken one keeps what came', async () => {
  const empty = aReader();
  empty.reader.onResponseEnd();
  expect(await empty.answer).toMatchObject({ outcome: 'succeeded', responseSnippet: null });
  const broken = aReader();
  broken.reader.onResponseData(broken.connection, Buffer.from('part'));
  broken.reader.onResponseError(broken.connection, new Error('reset'));
  expect(await broken.snippet()).toBe('part');
});

// Without it a worker that stops would wait for the receiver that holds all connections, and then send after all.
test('an abort while it waits for a connection ends it at once, and nothing is sent later', async () => {
  const abort = new AbortController();
  const { reader, connection, answer } = aReader({ isAnswered: false, signal: abort.signal });
  const reason = new Error('draining');
  abort.abort(reason);
  await expect(answer).rejects.toBe(reason);
  reader.onRequestStart(connection);
  expect(connection.isClosed).toBe(true);
});

// Without it each attempt would leave its timer and its listener with the process.
test('an answer leaves neither timer nor listener', async () => {
  const { signal } = new AbortController();
  const listenerCount = () => getEventListeners(signal, 'abort').length;
  const { reader, answer } = aReader({ signal });
  expect([vi.getTimerCount(), listenerCount()]).toEqual([1, 1]);
  reader.onResponseEnd();
  await answer;
  expect([vi.getTimerCount(), listenerCount()]).toEqual([0, 0]);
});

const now = new Date('2026-11-20T12:00:00.500Z');

test.each<[string | string[] | undefined, number | null]>([
  [undefined, null],
  ['', null],
  ['0', 0],
  ['120', 120],
  [' 120 ', 120],
  ['86401', 86_400],
  ['315360000', 86_400], // ten years
  ['9'.repeat(400), 86_400],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['0x10', null],
  ['5 apples', null],
  ['soon', null],
  ['2026-11-20T12:01:00Z', null],
  ['Fri, 20 Nov 2026 12:01:00 GMT', 60],
  ['Friday, 20-Nov-26 12:01:00 GMT', 60],
  ['Fri Nov 20 12:01:00 2026', 60],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0], // past
  ['Fri, 20 Nov 2036 12:00:00 GMT', 86_400],
  ['Fri, 32 Nov 2026 12:01:00 GMT', null],
  ['Fri, 20 Nov 2026 12:01:00 PST', null],
  [['30', '60'], 30],
])('Retry-After %j is %s', (value, seconds) => {
  expect(parseRetryAfter(value, now)).toBe(seconds);
});
