import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  clusterOf,
  eventually,
  openSession,
  query,
  Scratch,
  usersToRunAs,
  type Program,
} from './run-program.fixture.ts';
import { isAlive, isServerOfCluster } from './server-process.ts';
import { startServer } from './start.ts';

vi.setConfig({ testTimeout: 60_000 });

const scratch = new Scratch();
afterEach(() => scratch.clear());

async function commitRow(connectionString: string): Promise<void> {
  await query(connectionString, 'create table if not exists kept (answer int)');
  await query(connectionString, 'insert into kept values (42)');
}

const keptRows = (connectionString: string) =>
  query<{ answer: number }>(connectionString, 'select answer from kept');

describe.each(usersToRunAs())('run by $name', ({ runAs }) => {
  const asUser = runAs === undefined ? {} : { runAs };

  // Without it a program killed by the system could not be restarted while its server lives.
  test('a program killed without its server leaves it, and the next start takes its data over', async () => {
    const dataDir = scratch.dataDir(runAs);
    const first = scratch.run({ dataDir, ...asUser });
    const { connectionString, pid } = await first.until('ready');
    await commitRow(connectionString);
    first.child.kill('SIGKILL');
    await first.whenEnded;
    expect(isServerOfCluster(pid, clusterOf(dataDir))).toBe(true);
    const second = scratch.run({ dataDir, ...asUser });
    const next = await second.until('ready');
    expect(next.pid).not.toBe(pid);
    expect(isServerOfCluster(pid, clusterOf(dataDir))).toBe(false);
    expect(await keptRows(next.connectionString)).toEqual([{ answer: 42 }]);
  });

  // Without it a restart after `kill -9 -- -$pgid` or a container's end would be refused for seconds.
  test('a kill of the program and of every process of its server is survived', async () => {
    const dataDir = scratch.dataDir(runAs);
    const first = scratch.run({ dataDir, ...asUser });
    const { connectionString, pid } = await first.until('ready');
    await commitRow(connectionString);
    process.kill(-first.pid, 'SIGKILL');
    process.kill(-pid, 'SIGKILL');
    const next = await scratch.run({ dataDir, ...asUser }).until('ready');
    expect(await keptRows(next.connectionString)).toEqual([{ answer: 42 }]);
  });
});

// Without it a backend that outlives its killed server would meet a second server on the same files.
test('a start waits until the last process of a killed server is gone', async () => {
  const dataDir = scratch.dataDir();
  const first = scratch.run({ dataDir });
  const { connectionString, pid } = await first.until('ready');
  const backend = await openSession(connectionString);
  process.kill(backend, 'SIGSTOP');
  process.kill(-first.pid, 'SIGKILL');
  process.kill(pid, 'SIGKILL');
  const second = scratch.run({ dataDir });
  const logFile = path.join(dataDir, 'postgres', 'server.log');
  await eventually(
    'a refused launch',
    () => existsSync(logFile) && / F0001 /.test(readFileSync(logFile, 'utf8')),
  );
  expect(second.events).toEqual([]);
  process.kill(backend, 'SIGCONT');
  await second.until('ready');
  await eventually('the end of the last process', () => !isAlive(backend));
});

// Without it a start right after a group's end would fail on the dying server's postmaster.pid.
test('a start waits for a server that is shutting down', async () => {
  const dataDir = scratch.dataDir();
  const first = scratch.run({ dataDir });
  const { connectionString, pid } = await first.until('ready');
  const backend = await openSession(connectionString);
  process.kill(backend, 'SIGSTOP');
  first.child.kill('SIGKILL');
  await first.whenEnded;
  process.kill(pid, 'SIGINT');
  const second = scratch.run({ dataDir });
  await second.until('log', ({ message }) => message.includes(`pid ${pid}`));
  expect(isAlive(pid)).toBe(true);
  process.kill(backend, 'SIGCONT');
  await second.until('ready');
});

// Without it a second terminal would corrupt or kill the first one's database.
test('while the owner lives, another start is refused with its pid and does not touch it', async () => {
  const dataDir = scratch.dataDir();
  const owner = scratch.run({ dataDir });
  const { connectionString } = await owner.until('ready');
  const intruder = scratch.run({ dataDir });
  await expect(intruder.until('ready')).rejects.toThrow(`(pid ${owner.pid})`);
  expect(intruder.events).toMatchObject([{ code: 'already_owned', ownerPid: owner.pid }]);
  await commitRow(connectionString);
});

// Without it two starts at the same moment, as from a process manager, would both make a database.
test('of two starts at the same moment one wins and the other names it', async () => {
  const dataDir = scratch.folder();
  const programs = [scratch.run({ dataDir }), scratch.run({ dataDir })];
  const settled = await Promise.allSettled(programs.map((program) => program.until('ready')));
  const winner = programs[settled.findIndex((result) => result.status === 'fulfilled')];
  const loser = programs.find((program) => program !== winner) as Program;
  expect(loser.events).toMatchObject([{ event: 'failed', code: 'already_owned', ownerPid: winner?.pid }]);
});

// Without it a Ctrl-C would end the database before the requests in flight are finished.
test('a Ctrl-C or TERM to the whole group leaves the server to the program', async () => {
  const dataDir = scratch.dataDir();
  const program = scratch.run({ dataDir });
  const { connectionString, pid } = await program.until('ready');
  process.kill(-program.pid, 'SIGINT');
  await program.until('log', ({ message }) => message === 'SIGINT');
  await commitRow(connectionString);
  process.kill(-program.pid, 'SIGTERM');
  expect(await program.whenEnded).toBe(0);
  expect(isAlive(pid)).toBe(false);
});

// Without it a start killed halfway would leave a database that never starts.
test('an initdb killed in the middle is done again', async () => {
  const dataDir = scratch.folder();
  const first = scratch.run({ dataDir });
  const folder = path.join(dataDir, 'postgres');
  const unfinished = await eventually('an initdb at work', () => {
    const name = namesIn(folder).find((candidate) => /^initialising-\w+$/.test(candidate));
    return name !== undefined && namesIn(path.join(folder, name)).includes('PG_VERSION') ? name : undefined;
  });
  process.kill(-first.pid, 'SIGKILL');
  await first.whenEnded;
  expect(namesIn(folder)).not.toContain('cluster');
  await scratch.run({ dataDir }).until('ready');
  // Its initdb, in its own session, may have continued for a moment; the next start clears the folder.
  expect(namesIn(folder)).toContain('cluster');
  expect(namesIn(folder)).not.toContain(`${unfinished}.password`);
});

// Without it the loss of the server's process would be an outage until somebody restarts the program.
test('a server killed under a living program is back on the same address, with all commits', async () => {
  const dataDir = scratch.dataDir();
  const messages: string[] = [];
  const server = await startServer({ dataDir, log: (message) => messages.push(message) });
  for (let round = 1; round <= 3; round += 1) {
    await commitRow(server.connectionString);
    const killed = server.pid;
    process.kill(killed, 'SIGKILL');
    const rows = await eventually('the server again', () =>
      server.pid === killed ? null : keptRows(server.connectionString).catch(() => null),
    );
    expect(rows).toHaveLength(round);
  }
  expect(messages.filter((message) => message.includes('ended unasked'))).toHaveLength(3);
  await server.stop();
  expect(isAlive(server.pid)).toBe(false);
});

// Without it a program that ends during such a restart would leave a server behind.
test('stop right after the server was killed leaves none', async () => {
  const dataDir = scratch.dataDir();
  const server = await startServer({ dataDir, settings: { fsync: 'off' } });
  const killed = server.pid;
  process.kill(killed, 'SIGKILL');
  await eventually('the end', () => !isServerOfCluster(killed, clusterOf(dataDir)));
  await server.stop();
  expect(isServerOfCluster(server.pid, clusterOf(dataDir))).toBe(false);
  const next = await startServer({ dataDir });
  await next.stop();
});

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
