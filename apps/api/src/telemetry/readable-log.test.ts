import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { readableLog } from './readable-log.ts';

// Broke: the signed note of each seal took seven lines of the terminal, below the banner of a first start too.
test('in a terminal a seal takes one line, without its note', async () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line), lostCount: 0 };
  const log = createLog('info', await readableLog(stream));
  log.info({ seal: 7, lines: 12, note: 'origin\n12\nhash\n\nsigned\n' }, 'sealed the audit');
  expect(lines.map(stripVTControlCharacters)).toEqual([
    expect.stringMatching(/^\[[\d:]{8}\] INFO: sealed the audit \{"seal":7,"lines":12\}\n$/),
  ]);
});
