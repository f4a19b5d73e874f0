import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { clusterOf, query, Scratch } from './run-program.fixture.ts';
import { findServer } from './start.ts';
import { startServer } from './start.ts';

vi.setConfig({ testTimeout: 60_000 });

const scratch = new Scratch();
afterEach(() => scratch.clear());

// Without it a wrong setting would surface as a time-out.
test('a server that does not start is reported with its log, and holds nothing', async () => {
  const dataDir = scratch.dataDir();
  const settings = { fsync: 'off', shared_buffers: 'a lot' };
  await expect(startServer({ dataDir, settings })).rejects.toThrow(/did not start.*shared_buffers/s);
  const server = await startServer({ dataDir, settings: { fsync: 'off' } });
  await server.stop();
});

// Broke: a start with DATA_DIR=/proc/x hung forever without a message.
test.runIf(process.platform === 'linux')(
  'a data directory in /proc is refused as one that cannot be used',
  async () => {
    await expect(startServer({ dataDir: '/proc/x/y' })).rejects.toThrow(
      /^The data directory \/proc\/x\/y cannot be used: ENOENT/,
    );
  },
);

// Without it the only message would be PostgreSQL's own, at the end of a log.
test('a cluster of another PostgreSQL version is refused with the way over, and left as it was', async () => {
  const dataDir = scratch.dataDir();
  const server = await startServer({ dataDir, settings: { fsync: 'off' } });
  await server.stop();
  const versionFile = path.join(clusterOf(dataDir), 'PG_VERSION');
  writeFileSync(versionFile, '17\n');
  const refused = startServer({ dataDir });
  await expect(refused).rejects.toMatchObject({ code: 'other_version' });
  await expect(refused).rejects.toThrow(
    /made by PostgreSQL 17; .* brings PostgreSQL 18.*pg_dump.*pg_restore.*those of PostgreSQL 18/s,
  );
  for (const damage of [() => writeFileSync(versionFile, ''), () => rmSync(versionFile)]) {
    damage();
    await expect(startServer({ dataDir })).rejects.toThrow(/is damaged: .*PG_VERSION does not say/);
  }
  writeFileSync(versionFile, '18\n');
  const again = await startServer({ dataDir, settings: { fsync: 'off' } });
  await again.stop();
});

test('what ends a start before anything is made leaves an empty folder without an owner', async () => {
  const dataDir = scratch.folder();
  const beforeStart = () => Promise.reject(new Error('the port is taken'));
  await expect(startServer({ dataDir, beforeStart })).rejects.toThrow('the port is taken');
  expect(existsSync(clusterOf(dataDir))).toBe(false);
  const server = await startServer({ dataDir, settings: { fsync: 'off' } });
  await server.stop();
});

test('a server that another program runs is found by its folder', async () => {
  const dataDir = scratch.dataDir();
  expect(findServer(dataDir)).toBeUndefined();
  const server = await startServer({ dataDir, settings: { fsync: 'off' } });
  expect(findServer(dataDir)).toBe(server.connectionString);
  await server.stop();
  expect(findServer(dataDir)).toBeUndefined();
});

// Without it a lost file would lock everybody out of the data, and so would a restored backup, which never has it.
test('a cluster whose password is another’s is refused, and one whose password is lost is given a new one', async () => {
  const dataDir = scratch.dataDir();
  const settings = { fsync: 'off' };
  const server = await startServer({ dataDir, settings });
  await query(server.connectionString, 'create table kept as select 42 as answer');
  await server.stop();
  const passwordFile = path.join(dataDir, 'postgres', 'password');
  writeFileSync(passwordFile, 'another\n');
  await expect(startServer({ dataDir })).rejects.toThrow(passwordFile);
  rmSync(passwordFile);
  const again = await startServer({ dataDir, settings });
  onTestFinished(() => again.stop());
  expect(again.connectionString).not.toBe(server.connectionString);
  expect(await query(again.connectionString, 'select answer from kept')).toEqual([{ answer: 42 }]);
  expect(statSync(passwordFile).mode & 0o777).toBe(0o600);
  const earlier = new URL(again.connectionString);
  earlier.password = new URL(server.connectionString).password;
  for (const username of ['postgres', 'insurance_verification'])
    await expect(query(withUser(earlier.href, username), 'select 1')).rejects.toThrow(/password/);
});

function withUser(connectionString: string, username: string): string {
  const url = new URL(connectionString);
  url.username = username;
  return url.href;
}
