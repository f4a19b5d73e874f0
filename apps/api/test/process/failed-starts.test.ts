import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { expect, onTestFinished, test } from 'vitest';
import { aDataDir, failureOf, start } from './an-embedded-service.ts';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const NOBODY = 'postgres://user:hunter2@127.0.0.1:1/ivs';

async function aTakenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

// Creating the cluster takes a second; a second try with another DATA_DIR would leave two for nothing.
test.each(['PORT', 'METRICS_PORT'])('a taken %s is reported before a database is made', async (variable) => {
  const [dataDir, port] = [aFolder(), await aTakenPort()];
  expect(await failureOf({ DATA_DIR: dataDir, [variable]: port })).toBe(
    `${variable}: another program listens on port ${port} of 127.0.0.1 (EADDRINUSE). Set it to a free one, or to 0 to have one chosen: ${variable}=${Number(port) + 1}.`,
  );
  expect(existsSync(join(dataDir, 'postgres', 'cluster'))).toBe(false);
});

// Broke: the message said that the host of DATABASE_URL has no address.
test.each([
  [
    'foo.invalid',
    /^HOST: foo\.invalid has no address \((?:ENOTFOUND|EAI_AGAIN)\)\. Expected an address of this/,
  ],
  [
    '203.0.113.7',
    /^HOST: 203\.0\.113\.7 cannot be listened on here \(EADDRNOTAVAIL\)\. Expected an address of/,
  ],
])('HOST=%s is reported as what is wrong, with any database', async (host, message) => {
  const dataDir = aFolder();
  expect(await failureOf({ DATA_DIR: dataDir, HOST: host })).toMatch(message);
  expect(existsSync(join(dataDir, 'postgres', 'cluster'))).toBe(false);
  expect(await failureOf({ HOST: host, DATABASE_URL: NOBODY, ENCRYPTION_KEY })).toMatch(message);
});

test('a database that cannot be reached is named by the variable that leads to it, without its password', async () => {
  const { connectionString } = await createTestDatabase();
  const wrong = (change: (url: URL) => void) => {
    const url = new URL(connectionString);
    change(url);
    return { DATABASE_URL: url.href, ENCRYPTION_KEY };
  };
  const file = join(aFolder(), 'url');
  writeFileSync(file, `${NOBODY}\n`);
  const refused = 'connect ECONNREFUSED 127.0.0.1:1\nNothing answers there.';
  const failures: [Record<string, string>, string][] = [
    [{ DATABASE_URL: NOBODY, ENCRYPTION_KEY }, `DATABASE_URL: ${refused}`],
    [{ DATABASE_URL_FILE: file, ENCRYPTION_KEY }, `DATABASE_URL_FILE: ${refused}`],
    [
      { DATABASE_URL: connectionString, DATABASE_DIRECT_URL: NOBODY, ENCRYPTION_KEY },
      `DATABASE_DIRECT_URL: ${refused}`,
    ],
    [
      { DATABASE_URL: NOBODY, DATABASE_DIRECT_URL: connectionString, ENCRYPTION_KEY },
      `DATABASE_URL: ${refused}`,
    ],
    [wrong((url) => (url.password = 'hunter2')), 'The database refuses this user or password.'],
    [wrong((url) => (url.pathname = '/none')), 'The server has no database of this name.'],
  ];
  for (const [environment, message] of failures) {
    const failure = await failureOf(environment);
    expect(failure).toMatch(/^DATABASE_(?:DIRECT_)?URL(?:_FILE)?: /);
    expect(failure).toContain(message);
    expect(failure).not.toContain('hunter2');
  }
});

test('another master key is reported by the variable or the file that it came from', async () => {
  const { connectionString } = await createTestDatabase();
  const first = await start({ DATABASE_URL: connectionString, ENCRYPTION_KEY });
  await first.stop();
  const other = `k1:${Buffer.alloc(32, 2).toString('base64')}`;
  const file = join(aFolder(), 'key');
  writeFileSync(file, other);
  const wrong = 'key "k1" is not the key this database was written under.';
  expect(await failureOf({ DATABASE_URL: connectionString, ENCRYPTION_KEY: other })).toBe(
    `ENCRYPTION_KEY: ${wrong}`,
  );
  expect(await failureOf({ DATABASE_URL: connectionString, ENCRYPTION_KEY_FILE: file })).toBe(
    `ENCRYPTION_KEY_FILE: ${wrong}`,
  );
});

// Broke: it was reported as a wrong ENCRYPTION_KEY, which nobody had set, beside a new file that looked right.
test('a lost or damaged encryption-key is reported as that, and none is made in its place', async () => {
  const dataDir = aDataDir();
  const first = await start({ DATA_DIR: dataDir });
  await first.stop();
  const path = join(dataDir, 'encryption-key');
  const kept = readFileSync(path, 'utf8');
  rmSync(path);
  const lost = await failureOf({ DATA_DIR: dataDir });
  expect(lost).toMatch(
    `DATA_DIR: ${path} is missing, and the database in the folder is encrypted with that key.`,
  );
  expect(lost).toContain(`move ${join(dataDir, 'postgres')} away.`);
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, 'half of it');
  expect(await failureOf({ DATA_DIR: dataDir })).toMatch(`DATA_DIR: ${path} is not a valid key`);
  writeFileSync(path, `local:${Buffer.alloc(32, 9).toString('base64')}`);
  expect(await failureOf({ DATA_DIR: dataDir })).toBe(
    `DATA_DIR: ${path}: key "local" is not the key this database was written under.`,
  );
  writeFileSync(path, kept);
  await start({ DATA_DIR: dataDir });
});

test('a DATA_DIR that cannot be used, that is in use, or of another PostgreSQL is reported as that', async () => {
  const dataDir = aDataDir();
  const owner = await start({ DATA_DIR: dataDir });
  const refused = await failureOf({ DATA_DIR: dataDir });
  expect(refused).toMatch(
    `DATA_DIR: Another program (pid ${process.pid}) is running on the data directory ${dataDir}.`,
  );
  // Broke: whoever started it twice was told a process id, and not where the first one is.
  expect(refused).toMatch(new RegExp(`\nIt is the service at ${owner.url}\\.$`));
  // The same command typed twice: the folder's owner says more than the port's.
  const { port } = new URL(owner.url ?? '');
  expect(await failureOf({ DATA_DIR: dataDir, PORT: port })).toMatch('DATA_DIR: Another program');
  await owner.stop();
  const version = join(dataDir, 'postgres', 'cluster', 'PG_VERSION');
  writeFileSync(version, '17\n');
  expect(await failureOf({ DATA_DIR: dataDir })).toMatch(
    /^DATA_DIR: The database in \S+ was made by PostgreSQL 17; .*\n  PGPASSWORD=.* pg_dump .*\n.*\n  PGPASSWORD=.* pg_restore /s,
  );
  const file = join(aFolder(), 'file');
  writeFileSync(file, '');
  expect(await failureOf({ DATA_DIR: file })).toMatch(
    `DATA_DIR: The data directory ${file} cannot be used: `,
  );
});

// Broke: the start hung silently.
test.runIf(process.platform === 'linux')('DATA_DIR=/proc/x is reported as unusable', async () => {
  expect(await failureOf({ DATA_DIR: '/proc/x' })).toMatch(
    /^DATA_DIR: The data directory \/proc\/x cannot be used: ENOENT.* Give a DATA_DIR that can be written\./s,
  );
});
