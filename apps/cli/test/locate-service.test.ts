import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { expect, onTestFinished, test } from 'vitest';
import { useService } from './a-service.ts';
import { iv } from './iv.ts';

const service = useService();

function aDataDir(): string {
  const folder = aFolder();
  mkdirSync(join(folder, 'running'));
  return folder;
}

const list = (DATA_DIR: string) =>
  iv(['requests', 'list', '--limit', '1'], { DATA_DIR, IV_API_KEY: service().apiKey });

const instanceOf = async (url: string) => (await fetch(`${url}/livez`)).headers.get('instance');

// Breaks if a service on another port must be named for every command.
test('without IV_URL the running service of the data folder is asked', async () => {
  expect(await list(service().dataDir)).toEqual({ exitCode: 0, stdout: '', stderr: 'No requests.\n' });
});

// Breaks if a key goes to the program that took over a killed service's port.
test('what was written down by a process that is gone is not believed, and gets no key', async () => {
  const headers: unknown[] = [];
  const other = createServer((req, res) => {
    headers.push(req.headers['x-key']);
    res.end('{"status":"alive"}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const dataDir = aDataDir();
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  writeFileSync(join(dataDir, 'running/dead.json'), JSON.stringify({ url, instance: 'dead' }));
  writeFileSync(join(dataDir, 'running/torn.json'), '{"url":');
  const ofKilled = {
    url: service().url,
    instance: await instanceOf(service().url),
    host: hostname(),
    pid: 2 ** 22 + 1,
  };
  writeFileSync(join(dataDir, 'running/killed.json'), JSON.stringify(ofKilled));
  expect(await list(dataDir)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      `No service is running with the data folder ${dataDir}, and IV_URL names none.\n` +
      'Start one with `npx -y pnpm@12 start`, or name one: IV_URL=https://verify.example iv requests list\n',
  });
  expect(headers).toEqual([undefined]);
});

// Breaks if the demo leaves its request in the wrong service.
test.each(['requests list', 'demo'])('of several that run, iv %s chooses none', async (words) => {
  const dataDir = aDataDir();
  const running = join(service().dataDir, 'running');
  const [name = ''] = readdirSync(running);
  for (const copy of ['a.json', 'b.json']) cpSync(join(running, name), join(dataDir, 'running', copy));
  const refused = await iv(words.split(' '), { DATA_DIR: dataDir, IV_API_KEY: service().apiKey });
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain(`Several services run with the data folder ${dataDir}: `);
  expect(refused.stderr).toContain(`Right, for example: IV_URL=${service().url} iv ${words}`);
});
