import { stripVTControlCharacters } from 'node:util';
import { inherited } from '@insurance-verification/testing/inherited';
import { spawn } from '@lydell/node-pty';
import { expect, test } from 'vitest';
import { aStoredRequest } from './a-request.ts';
import { useService } from './a-service.ts';
import { SOURCE_ARGS, iv, naming } from './iv.ts';

const service = useService();

/** What `iv` shows in a terminal of this width, line by line. */
async function shownIn(cols: number, args: readonly string[]): Promise<string[]> {
  const terminal = spawn(process.execPath, [...SOURCE_ARGS, ...args], {
    cols,
    rows: 40,
    env: { ...inherited(), ...naming(service()), TERM: 'xterm-256color' },
  });
  let shown = '';
  terminal.onData((text) => (shown += text));
  await new Promise((resolve) => terminal.onExit(resolve));
  return stripVTControlCharacters(shown)
    .split(/\r?\n/)
    .filter((line) => line !== '');
}

// Breaks if a list wraps in an ordinary window, or a script loses columns to a narrow one.
test('a table keeps within the terminal; --wide, a pipe and a file have it whole', async () => {
  const { request_id, received_timestamp } = await aStoredRequest(service());
  const narrow = await shownIn(80, ['requests', 'list']);
  expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(narrow[0]).toMatch(/^REQUEST_ID +STATE +WAITING +PAYER/);
  expect(narrow[1]).toContain(request_id);
  expect(narrow.at(-1)).toBe('Left out for want of width: RECEIVED. --wide shows them.');
  const whole = expect.stringContaining(received_timestamp);
  expect(await shownIn(80, ['requests', 'list', '--wide'])).toContainEqual(whole);
  expect(await shownIn(160, ['requests', 'list'])).toContainEqual(whole);
  expect((await iv(['requests', 'list'], naming(service()))).stdout).toEqual(whole);
  const stats = await shownIn(80, ['work', 'stats']);
  expect(Math.max(...stats.map((line) => line.length))).toBeLessThanOrEqual(80);
});
