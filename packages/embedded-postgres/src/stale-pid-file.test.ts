import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clusterOf, eventually, query, Scratch } from './run-program.fixture.ts';
import { isAlive } from './server-process.ts';
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

describe('a postmaster.pid that names', () => {
  /** Starts again with a postmaster.pid that names the process; returns the data committed before. */
  async function startOver(stalePid: number): Promise<{ answer: number }[]> {
    const dataDir = scratch.dataDir();
    const first = await startServer({ dataDir, settings: { fsync: 'off' } });
    await commitRow(first.connectionString);
    await first.stop();
    const file = path.join(clusterOf(dataDir), 'postmaster.pid');
    writeFileSync(
      file,
      `${stalePid}\n${clusterOf(dataDir)}\n1700000000\n5432\n\n127.0.0.1\n  0 0\nready   \n`,
    );
    const next = await startServer({ dataDir, settings: { fsync: 'off' } });
    const rows = await keptRows(next.connectionString);
    await next.stop();
    return rows;
  }
  const kept = [{ answer: 42 }];

  // Without it a crash followed by a reboot would need manual repair, since ids are reused.
  test('a foreign process is stale, and the process keeps running', async () => {
    const foreign = spawn('sleep', ['600'], { stdio: 'ignore' });
    expect(await startOver(foreign.pid ?? 0)).toEqual(kept);
    expect(foreign.exitCode).toBeNull();
    expect(foreign.signalCode).toBeNull();
    foreign.kill('SIGKILL');
  });

  test('this very program is stale', async () => {
    expect(await startOver(process.pid)).toEqual(kept);
  });

  test('a dead process is stale', async () => {
    const dead = spawn('true', { stdio: 'ignore' });
    await new Promise((resolve) => dead.once('exit', resolve));
    expect(await startOver(dead.pid ?? 0)).toEqual(kept);
  });

  // Without it a container whose first process never reaps could not restart: a zombie answers to kill(pid, 0).
  test('a zombie is stale', async () => {
    // The shell becomes a sleep, which never reaps the child it has inherited.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const zombie = await new Promise<number>((resolve) => {
      parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
    });
    await eventually('a parent that does not reap', () => psColumn('comm', parent.pid) === 'sleep');
    process.kill(zombie, 'SIGKILL');
    await eventually('a zombie', () => psColumn('stat', zombie).startsWith('Z'));
    expect(await startOver(zombie)).toEqual(kept);
    expect(isAlive(zombie)).toBe(true);
    parent.kill('SIGKILL');
  });

  // Without it the server of another directory would be killed for having reused its predecessor's id.
  test('the server of another data directory is stale, and that server keeps running', async () => {
    const other = await startServer({ dataDir: scratch.dataDir(), settings: { fsync: 'off' } });
    expect(await startOver(other.pid)).toEqual(kept);
    await commitRow(other.connectionString);
    expect(await keptRows(other.connectionString)).toEqual(kept);
    await other.stop();
  });
});

function psColumn(column: string, pid: number | undefined): string {
  return spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
}
