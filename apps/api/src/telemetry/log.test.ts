import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createFailureLog, createLog, readableLog } from './log.ts';

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

function aLog() {
  const lines: string[] = [];
  const at = (level: string) => (_: unknown, text?: string) => void lines.push(`${level} ${text}`);
  return { lines, log: { warn: at('warn'), debug: at('debug') } };
}

// Without it a night with a read-only database would log the same warning a hundred thousand times.
test('an outage is one warning a minute, whatever else fails is one each time', () => {
  const { lines, log } = aLog();
  const logFailure = createFailureLog(log as never, 'claim failed');
  for (let round = 0; round < 3; round += 1) logFailure(away());
  for (let round = 0; round < 2; round += 1) logFailure(new TypeError('a bug'));
  expect(lines).toEqual([
    'warn claim failed',
    'debug claim failed',
    'debug claim failed',
    'warn claim failed',
    'warn claim failed',
  ]);
});

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
