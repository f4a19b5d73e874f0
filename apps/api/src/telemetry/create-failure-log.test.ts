import { expect, test } from 'vitest';
import { createFailureLog } from './create-failure-log.ts';

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
