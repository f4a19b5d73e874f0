import { expect, test } from 'vitest';
import { readSettings } from '../../bench/settings.ts';

test('a bound that is no number is named', () => {
  expect(readSettings({})).toEqual({
    seconds: 5,
    rounds: 10,
    connectionCounts: [16, 64],
    withFastapi: false,
    withPeers: false,
    before: [],
  });
  expect(readSettings({ BENCH_CONNECTIONS: '8', BENCH_SECONDS: '0.5', BENCH_FASTAPI: '1' })).toMatchObject({
    connectionCounts: [8],
    seconds: 0.5,
    withFastapi: true,
  });
  expect(readSettings({ BENCH_BEFORE: '20cb5c5d,main' })).toMatchObject({ before: ['20cb5c5d', 'main'] });
  expect(readSettings({ BENCH_ROUNDS: '-1' })).toBe('BENCH_ROUNDS: "-1" is no number above 0, such as 5.');
  expect(readSettings({ BENCH_CONNECTIONS: '16,,64' })).toContain('BENCH_CONNECTIONS: ""');
});
