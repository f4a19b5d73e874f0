import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readSnippet } from './read-snippet.ts';

/** A body of 1 KB pieces of a repeated digit that counts the pieces taken. */
function aBody(pieces: number): { body: Readable; pulled: () => number } {
  let pulled = 0;
  const body = new Readable({
    highWaterMark: 1024,
    read() {
      this.push(pulled < pieces ? Buffer.alloc(1024, String(pulled % 10)) : null);
      pulled += 1;
    },
  });
  return { body, pulled: () => pulled };
}

test('reads a body within 64 KB to its end, so the connection can be used again, and keeps 2 KB', async () => {
  const { body } = aBody(63);
  expect(Buffer.from((await readSnippet(body, 60_000)) ?? []).toString()).toBe(
    '0'.repeat(1024) + '1'.repeat(1024),
  );
  expect(body.readableEnded).toBe(true);
});

test('stops at 64 KB of a body of 10 MB and destroys it', async () => {
  const { body, pulled } = aBody(10_240);
  expect(await readSnippet(body, 60_000)).toHaveLength(2048);
  expect(body.destroyed).toBe(true);
  expect(pulled()).toBeLessThan(70);
});

test('a body that stops coming is given up in time, with what came before', async () => {
  const body = new Readable({ read() {} });
  body.push('half');
  expect(Buffer.from((await readSnippet(body, 20)) ?? []).toString()).toBe('half');
  expect(body.destroyed).toBe(true);
});

test('an empty body is no snippet, and a broken one keeps what came', async () => {
  expect(await readSnippet(Readable.from([]), 60_000)).toBe(null);
  const broken = Readable.from(
    (function* () {
      yield Buffer.from('part');
      throw new Error('reset');
    })(),
  );
  expect(Buffer.from((await readSnippet(broken, 60_000)) ?? []).toString()).toBe('part');
});
