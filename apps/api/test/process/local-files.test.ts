import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { expect, test } from 'vitest';
import { send } from '../send.ts';
import { aDataDir, start } from './an-embedded-service.ts';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

const statusWith = async (url: string | undefined, key: string) =>
  (await send('GET', `${url}/keys`, { headers: { 'x-key': key } })).status;

test('the folder of the embedded database names its owner, and only its user can read the secrets in it', async () => {
  const dataDir = aFolder();
  const { firstKeys } = await start({ DATA_DIR: dataDir });
  // The first seal of the audit log may already be there.
  expect(
    readdirSync(dataDir)
      .filter((name) => !name.startsWith('audit-seals.'))
      .toSorted(),
  ).toEqual([
    'README.txt',
    'api-key',
    'audit-seal-key',
    'encryption-key',
    'postgres',
    'running',
    'test-api-key',
  ]);
  expect(firstKeys.live.path).toBe(join(dataDir, 'api-key'));
  expect(readFileSync(join(dataDir, 'api-key'), 'utf8')).toBe(`${firstKeys.live.made}\n`);
  expect(readFileSync(join(dataDir, 'test-api-key'), 'utf8')).toBe(`${firstKeys.test.made}\n`);
  for (const name of ['api-key', 'audit-seal-key', 'encryption-key', 'test-api-key'])
    expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(dataDir, 'README.txt'), 'utf8')).toContain(
    'None of the keys belongs to another database.',
  );
});

// Broke: a start with DATABASE_URL overwrote the embedded database's key: the old one was lost, every call a 401.
test('a start with DATABASE_URL leaves the files of the embedded database as they are', async () => {
  const dataDir = aDataDir();
  const embedded = await start({ DATA_DIR: dataDir });
  const key = embedded.firstKeys.live.made ?? '';
  await embedded.stop();
  const { connectionString } = await createTestDatabase();
  const other = await start({ DATA_DIR: dataDir, DATABASE_URL: connectionString, ENCRYPTION_KEY });
  expect(other.firstKeys.live).toEqual({ made: expect.stringMatching(/^ivk_live_/), path: null });
  expect(readFileSync(join(dataDir, 'api-key'), 'utf8')).toBe(`${key}\n`);
  const again = await start({ DATA_DIR: dataDir });
  expect(again.firstKeys.live).toEqual({ made: null, path: join(dataDir, 'api-key') });
  expect(await statusWith(again.url, key)).toBe(200);
});

// A new key would overwrite the old one, which the moved database and existing scripts still need.
test('a new embedded database takes over the keys that are kept next to it', async () => {
  const dataDir = aDataDir();
  const first = await start({ DATA_DIR: dataDir });
  const { live, test: tests } = first.firstKeys;
  await first.stop();
  renameSync(join(dataDir, 'postgres'), join(dataDir, 'postgres-before'));
  const second = await start({ DATA_DIR: dataDir });
  expect(second.firstKeys).toEqual({ live, test: tests });
  expect(await statusWith(second.url, live.made ?? '')).toBe(200);
});

test('a kept key that is gone, or no longer works, is not shown as one to use', async () => {
  const dataDir = aDataDir();
  const first = await start({ DATA_DIR: dataDir });
  await first.stop();
  rmSync(join(dataDir, 'api-key'));
  const second = await start({ DATA_DIR: dataDir });
  expect(second.firstKeys.live).toEqual({ made: null, path: null });
  expect(second.firstKeys.test.path).toBe(join(dataDir, 'test-api-key'));
});
