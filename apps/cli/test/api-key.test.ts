import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useService } from './a-service.ts';
import { iv } from './iv.ts';

const service = useService();

describe('the key', () => {
  // Breaks if a newcomer must copy a key that is kept on their own machine.
  test('is the one the service keeps, for a service on this machine', async () => {
    const { url, dataDir } = service();
    writeFileSync(join(dataDir, 'api-key'), `${API_KEY}\n`);
    chmodSync(join(dataDir, 'api-key'), 0o600);
    const listed = await iv(['--json', 'accounts', 'list'], {
      IV_URL: url,
      DATA_DIR: dataDir,
      IV_API_KEY: '',
    });
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
    const byName = url.replace('127.0.0.1', 'localhost');
    expect(await iv(['accounts', 'list'], { IV_URL: byName, DATA_DIR: dataDir })).toMatchObject({
      exitCode: 0,
    });
  });

  // Broke: any program on this machine got it that `iv` was pointed at.
  test('that a service keeps goes only to that service', async () => {
    const { dataDir } = service();
    const asked: unknown[] = [];
    const other = createServer((req, res) => {
      asked.push(req.headers['x-key']);
      res.end('{"status":"alive"}');
    });
    onTestFinished(() => void other.close());
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const another = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    for (const url of ['https://verify.example', another, another.replace('127.0.0.1', 'localhost')]) {
      const refused = await iv(['accounts', 'list'], { IV_URL: url, DATA_DIR: dataDir });
      expect(refused).toEqual({
        exitCode: 2,
        stdout: '',
        stderr:
          `No API key for ${url}. Expected one in IV_API_KEY, or kept by a service on this machine; found none in ` +
          `IV_API_KEY, and the one in ${join(dataDir, 'api-key')} is for the service of that folder.\n` +
          'Right, for example: IV_API_KEY_FILE=/run/secrets/iv-api-key iv accounts list\n',
      });
    }
    expect(asked.filter((key) => key !== undefined)).toEqual([]);
  });

  // Breaks if a key must be an environment variable, where a container platform would rather mount a file.
  test('comes from a file as well, and one that cannot be used is reported without what it holds', async () => {
    const { url, dataDir } = service();
    const path = join(dataDir, 'key-in-a-file');
    writeFileSync(path, `${API_KEY}\n`);
    const listed = await iv(['accounts', 'list'], { IV_URL: url, IV_API_KEY_FILE: path });
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await iv(['accounts', 'list'], { IV_URL: url, IV_API_KEY: 'x', IV_API_KEY_FILE: path })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'IV_API_KEY and IV_API_KEY_FILE are both set. Set one of them.\n',
    });
    expect(await iv(['accounts', 'list'], { IV_URL: url, IV_API_KEY_FILE: `${path}-none` })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `IV_API_KEY_FILE: ${path}-none cannot be read (ENOENT).\n`,
    });
    const wrong = join(dataDir, 'wrong-key');
    writeFileSync(wrong, 'ivk_live_hunter2hunter2hunter2');
    const refused = await iv(['accounts', 'list'], { IV_URL: url, IV_API_KEY_FILE: wrong });
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('the one from IV_API_KEY_FILE is unknown there');
    expect(refused.stderr).not.toContain('hunter2');
  });

  // Breaks if a password in an address, or a key, is read off a screen.
  test.each([
    ['an address with a password', { IV_URL: 'http://user:hunter2@127.0.0.1:3000' }],
    ['an address that is none', { IV_URL: 'hunter2' }],
    ['a key with a space', { IV_API_KEY: 'hunter2 hunter2' }],
  ])('and %s cannot be used: ends with 2 and does not repeat it', async (_name, env) => {
    const refused = await iv(['accounts', 'list'], { IV_API_KEY: API_KEY, IV_URL: service().url, ...env });
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^IV_URL or IV_API_KEY cannot be used: (url|apiKey) must be /);
    expect(refused.stderr).not.toContain('hunter2');
  });

  test('is asked for where it is missing', async () => {
    const { url, dataDir } = service();
    const missing = join(dataDir, 'none');
    const refused = await iv(['accounts', 'list'], { IV_URL: url, DATA_DIR: missing });
    expect(refused).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        `No API key for ${url}. Expected one in IV_API_KEY, or kept by a service on this machine; ` +
        `found none in IV_API_KEY, and none is kept in ${join(missing, 'api-key')}.\nRight, for example: IV_API_KEY_FILE=/run/secrets/iv-api-key iv accounts list\n`,
    });
  });
});
