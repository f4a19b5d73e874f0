import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curl } from './play-demo.ts';

// Breaks if the copied line sends something else, for example because of an apostrophe in a payer's name.
test('a shell reads the line as it was meant', () => {
  const body = { payer: "D'Arc $HOME `id`" };
  const line = curl('http://127.0.0.1:3000/requests/?a=1&b=2', { key: true, body });
  const printed = execFileSync('sh', ['-c', line.replace('curl', String.raw`printf '%s\n'`)], {
    env: { IV_API_KEY: 'the key' },
  });
  expect(printed.toString().trimEnd().split('\n')).toEqual([
    'http://127.0.0.1:3000/requests/?a=1&b=2',
    '-H',
    'x-key: the key',
    '-H',
    'content-type: application/json',
    '-d',
    JSON.stringify(body),
  ]);
});
