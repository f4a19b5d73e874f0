import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogStream } from './log-stream.ts';

function aFile() {
  const folder = mkdtempSync(join(tmpdir(), 'ivs-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'log');
  return { fd: openSync(path, 'a'), read: () => readFileSync(path, 'utf8') };
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index} ${'é'.repeat(index % 90)}\n`);

test('every line is written once, in order, however many come at once', async () => {
  const { fd, read } = aFile();
  const stream = createLogStream(fd);
  for (const line of lines(5_000)) stream.write(line);
  await stream.flush(20_000);
  expect(read()).toBe(lines(5_000).join(''));
  expect(stream.lostCount).toBe(0);
});

test('flushNow writes the waiting lines at once', () => {
  const { fd, read } = aFile();
  const stream = createLogStream(fd);
  for (const line of lines(20)) stream.write(line);
  stream.flushNow();
  expect(read()).toBe(lines(20).join(''));
});

test('a flush of nothing is over at once', async () => {
  const stream = createLogStream(aFile().fd);
  await expect(stream.flush(20_000)).resolves.toBeUndefined();
});

test('lines that cannot be written are lost and counted, and later ones are tried again', async () => {
  const { fd } = aFile();
  const stream = createLogStream(fd);
  closeSync(fd);
  for (const line of lines(7)) stream.write(line);
  await stream.flush(20_000);
  expect(stream.lostCount).toBe(7);
  stream.write('later\n');
  await stream.flush(20_000);
  expect(stream.lostCount).toBe(8);
  expect(() => stream.flushNow()).not.toThrow();
});
