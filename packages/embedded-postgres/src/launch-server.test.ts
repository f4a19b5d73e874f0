import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { locateBinaries, reachableBinaries } from './binaries.ts';
import { initialiseCluster } from './cluster.ts';
import { launchServer } from './launch-server.ts';
import { makeServerFolder } from './make-folder.ts';
import { eventually, openSession, Scratch } from './run-program.fixture.ts';
import { endServer, findFreePort, isAlive, readLog, type ServerPlace } from './server-process.ts';
import { chooseServerUser } from './user.ts';

vi.setConfig({ testTimeout: 60_000 });

const scratch = new Scratch();
let place: ServerPlace;
let squatter: Server;
let takenPort: number;

beforeEach(async () => {
  const folder = makeServerFolder(scratch.folder());
  const clusterDir = path.join(folder, 'cluster');
  const user = chooseServerUser({ clusterDir });
  const binaries = reachableBinaries(locateBinaries(), user);
  await initialiseCluster({ binaries, clusterDir, user, password: 'x', isDurable: false });
  place = {
    binaries,
    clusterDir,
    logFile: path.join(folder, 'server.log'),
    user,
    settings: { fsync: 'off' },
  };
  takenPort = await findFreePort();
  squatter = createServer().listen(takenPort, '127.0.0.1');
  await new Promise((resolve) => squatter.once('listening', resolve));
});

afterEach(async () => {
  await new Promise((resolve) => squatter.close(resolve));
  await scratch.clear();
});

const options = { log: () => {}, onSpawn: () => {}, isWanted: () => true };

// Without it the start would occasionally fail because another program takes the port first.
test('a port taken between its choice and its use is replaced by another', async () => {
  const ports = [takenPort, await findFreePort()];
  const chosen = [...ports];
  const run = await launchServer(place, { ...options, findPort: async () => chosen.shift() ?? 0 });
  expect(run.port).toBe(ports[1]);
  await endServer({ binaries: place.binaries, pid: run.pid, isGone: () => run.ended !== null });
});

// Without it the user would not learn which address is in use.
test('a port that stays taken is reported with the log', async () => {
  const launch = launchServer(place, { ...options, findPort: async () => takenPort });
  await expect(launch).rejects.toThrow('Address already in use');
});

// Without it a server that hangs on start would keep running, unowned, after the error.
test('a server that is not ready in time is ended and reported', async () => {
  const pids: number[] = [];
  const onSpawn = ({ pid }: { pid: number }) => void pids.push(pid);
  await expect(launchServer(place, { ...options, onSpawn, readyWithinMs: 0 })).rejects.toMatchObject({
    code: 'start_failed',
  });
  expect(pids).toHaveLength(1);
  expect(() => process.kill(pids[0] ?? 0, 0)).toThrow(/ESRCH/);
});

// Without it a program that cannot be executed would be retried or, worse, signalled as process 0.
test('a server that cannot be executed is reported with the reason', async () => {
  const broken = { ...place, binaries: { ...place.binaries, postgres: '/nonexistent/postgres' } };
  await expect(launchServer(broken, options)).rejects.toThrow(/nonexistent\/postgres ENOENT/);
});

// Without it a stuck backend would keep the program from ever ending.
test('a fast shutdown that gets nowhere becomes an immediate one, then a kill', async () => {
  const run = await launchServer(place, options);
  const stuck = await openSession(`postgres://postgres:x@127.0.0.1:${run.port}/postgres`);
  process.kill(stuck, 'SIGSTOP');
  const isGone = () => run.ended !== null;
  await endServer({ binaries: place.binaries, pid: run.pid, isGone, escalateAfterMs: 300 });
  expect(run.ended).toBe('SIGKILL');
  expect(readLog(place).toString()).toMatch(/fast shutdown request[^]*immediate shutdown request/);
  process.kill(stuck, 'SIGCONT');
  await eventually('the end of the stuck backend', () => !isAlive(stuck));
});
