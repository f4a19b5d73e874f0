import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { layCluster } from '@insurance-verification/testing/lay-cluster';
import { useInFile } from '@insurance-verification/testing/use-in-file';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clusterOf, query, Scratch, usersToRunAs } from './run-program.fixture.ts';
import { isAlive, isServerOfCluster } from './server-process.ts';
import { startServer } from './start.ts';

vi.setConfig({ testTimeout: 60_000 });

const scratch = new Scratch();
afterEach(() => scratch.clear());

describe.each(usersToRunAs())('run by $name', ({ runAs }) => {
  const asUser = runAs === undefined ? {} : { runAs };

  describe('a first start', () => {
    const started = useInFile(async () => {
      const own = new Scratch();
      const dataDir = own.folder(runAs);
      const ready = await own.run({ dataDir, ...asUser }, {}).until('ready');
      return { ...ready, dataDir, stop: () => own.clear() };
    });

    // Without it the database would be SQL_ASCII and sort by the caller's locale, or not start in a bare container.
    test('an empty environment makes a UTF-8 database that sorts by code point', async () => {
      const { connectionString } = started();
      const [row] = await query(
        connectionString,
        `select current_setting('server_version_num')::int / 10000 as version, current_database() as database, current_user as role,
              pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale,
              (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
              (select string_agg(x, '' order by x) from unnest(array['ä', 'Z', 'a', '€']) x) as sorted, upper('ä') as upper
         from pg_database where datname = current_database()`,
      );
      expect(row).toEqual({
        version: 18,
        database: 'insurance_verification',
        role: 'insurance_verification',
        encoding: 'UTF8',
        provider: 'b',
        locale: 'C.UTF-8',
        is_superuser: false,
        sorted: 'Zaä€',
        upper: 'Ä',
      });
    });

    // Without it a laptop's other users, or its network, could read patients' data.
    test('only the password opens it, only on loopback, and the file with it is 0600', async () => {
      const { dataDir, connectionString, pid } = started();
      const url = new URL(connectionString);
      expect(url.hostname).toBe('127.0.0.1');
      const passwordFile = path.join(dataDir, 'postgres', 'password');
      expect(statSync(passwordFile).mode & 0o777).toBe(0o600);
      expect(readFileSync(passwordFile, 'utf8').trim()).toBe(url.password);
      expect(url.password.length).toBeGreaterThanOrEqual(43);
      for (const [username, password] of [
        ['insurance_verification', 'wrong'],
        ['postgres', 'postgres'],
        ['postgres', ''],
      ] as const) {
        const attempt = new URL(connectionString);
        attempt.username = username;
        attempt.password = password;
        await expect(query(attempt.href, 'select 1')).rejects.toThrow(/password/);
      }
      const [row] = await query<{ addresses: string; sockets: string; methods: string }>(
        withUser(connectionString, 'postgres'),
        `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
              (select string_agg(distinct auth_method, ',') from pg_hba_file_rules) as methods`,
      );
      expect(row).toEqual({ addresses: '127.0.0.1', sockets: '', methods: 'scram-sha-256' });
      const elsewhere = Object.values(os.networkInterfaces())
        .flat()
        .filter((address) => address !== undefined && !address.internal && address.family === 'IPv4');
      for (const address of elsewhere) {
        expect(await accepts(address?.address ?? '', Number(url.port))).toBe(false);
      }
      expect(commandLineOf(pid)).not.toContain(url.password);
    });

    // Without it PostgreSQL would refuse to run, or run with more rights than it needs.
    test('the server never runs as root and owns no more than the cluster', () => {
      const { dataDir, pid } = started();
      const serverUid = statSync(clusterOf(dataDir)).uid;
      expect(serverUid).not.toBe(0);
      expect(statSync(path.join(dataDir, 'postgres')).uid).toBe(runAs?.uid ?? process.getuid?.());
      const ps = spawnSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' });
      expect(Number(ps.stdout)).toBe(serverUid);
    });
  });

  // Without it a second start would begin with an empty database, or another password.
  test('what was committed is there at the next start', async () => {
    const dataDir = scratch.dataDir(runAs);
    const first = scratch.run({ dataDir, ...asUser });
    const { connectionString } = await first.until('ready');
    await query(connectionString, 'create table kept as select 42 as answer');
    first.child.kill('SIGTERM');
    expect(await first.whenEnded).toBe(0);
    const again = await scratch.run({ dataDir, ...asUser }).until('ready');
    expect(await query(again.connectionString, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  // Without it `DATA_DIR=/mnt/readonly` would end in a stack trace.
  test('a data directory that cannot be made is named', async () => {
    const folder = scratch.folder(runAs);
    writeFileSync(path.join(folder, 'file'), '');
    const dataDir = path.join(folder, 'file', 'data');
    await expect(scratch.run({ dataDir, ...asUser }).until('ready')).rejects.toThrow(
      /data directory .*file\/data cannot be used.*DATA_DIR.*DATABASE_URL/s,
    );
  });

  // Without it a full disk at the first start would leave a broken database for the second.
  test('a first start that runs out of disk says so, and the next one works', async () => {
    const dataDir = scratch.folder(runAs);
    // A file size limit fails the write like a full disk.
    const limited = scratch.runUnder(['sh', '-c', 'ulimit -f 2048; exec "$@"', 'sh'], { dataDir, ...asUser });
    await expect(limited.until('ready')).rejects.toThrow(/initdb could not make a database.*DATABASE_URL/s);
    expect(existsSync(clusterOf(dataDir))).toBe(false);
    await scratch.run({ dataDir, ...asUser }).until('ready');
  });

  // Without it a checkout reached through links (pnpm's node_modules, macOS's /tmp) would look like two directories.
  test('a data directory reached through a symlink is the same directory', async () => {
    const folder = scratch.folder(runAs);
    const dataDir = path.join(folder, 'real');
    mkdirSync(dataDir);
    symlinkSync(dataDir, path.join(folder, 'link'));
    scratch.alsoClear(dataDir);
    if (runAs !== undefined) spawnSync('chown', [String(runAs.uid), dataDir]);
    layCluster(dataDir);
    const owner = scratch.run({ dataDir: path.join(folder, 'link'), ...asUser });
    await owner.until('ready');
    await expect(scratch.run({ dataDir, ...asUser }).until('ready')).rejects.toThrow(`pid ${owner.pid}`);
  });
});

// Without it the server could read ENCRYPTION_KEY, and would keep the pipes of the program's parent open.
test('the server has nothing of the program: session, environment, descriptors', async () => {
  const dataDir = scratch.dataDir();
  const program = scratch.run({ dataDir }, { ENCRYPTION_KEY: 'canary-of-the-environment' });
  const { pid } = await program.until('ready');
  const ps = spawnSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' });
  expect(Number(ps.stdout)).toBe(pid);
  if (existsSync(`/proc/${pid}/environ`)) {
    expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain('canary');
  }
  // The program's output ends with the program although its server lives on.
  program.child.kill('SIGKILL');
  expect(await program.whenEnded).toBe('SIGKILL');
  expect(isServerOfCluster(pid, clusterOf(dataDir))).toBe(true);
});

// Without it patients' data would lie in a plain file beside the encrypted database.
test('no statement, value or error text reaches the log, and a start begins it again', async () => {
  const dataDir = scratch.dataDir();
  const server = await startServer({ dataDir, settings: { fsync: 'off' } });
  const { connectionString } = server;
  await query(connectionString, `create table patient (name text primary key)`);
  await query(connectionString, `insert into patient values ('canary-patient')`);
  for (const text of [
    `insert into patient values ('canary-patient')`,
    `select 'canary-patient'::int`,
    `select canary_patient from nowhere`,
    `do $$ begin raise warning 'canary-patient'; end $$`,
  ]) {
    await query(connectionString, text).catch(() => {});
  }
  const logFile = path.join(dataDir, 'postgres', 'server.log');
  expect(readFileSync(logFile, 'utf8')).toContain('ready to accept connections');
  expect(readFileSync(logFile, 'utf8')).not.toMatch(/canary/);
  expect(statSync(logFile).mode & 0o777).toBe(0o600);
  await server.stop();
  const again = await startServer({ dataDir });
  expect(readFileSync(logFile, 'utf8').match(/starting PostgreSQL/g)).toHaveLength(1);
  await again.stop();
});

// Without it the last step of a drain would hang or fail when two parts of the program request it.
test('stop ends the server with its open connections, may be repeated, and frees the directory', async () => {
  const dataDir = scratch.dataDir();
  const server = await startServer({ dataDir, settings: { fsync: 'off' } });
  const busy = query(server.connectionString, 'select pg_sleep(60)').catch((err: Error) => err);
  await Promise.all([server.stop(), server.stop()]);
  await server.stop();
  expect(isAlive(server.pid)).toBe(false);
  expect(await busy).toBeInstanceOf(Error);
  expect(existsSync(path.join(clusterOf(dataDir), 'postmaster.pid'))).toBe(false);
  const next = await startServer({ dataDir });
  await next.stop();
});

// Without it a power cut could lose data that was already acknowledged.
test('commits are durable unless a test asks otherwise', async () => {
  const dataDir = scratch.dataDir();
  const server = await startServer({ dataDir });
  const rows = await query(
    server.connectionString,
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums') order by name`,
  );
  expect(rows.map((row) => row['setting'])).toEqual(['on', 'on', 'on', 'on']);
  await server.stop();
});

function withUser(connectionString: string, username: string): string {
  const url = new URL(connectionString);
  url.username = username;
  return url.href;
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function commandLineOf(pid: number): string {
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}
