import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { layCluster } from '@insurance-verification/testing/lay-cluster';
import pg from 'pg';
import type { ProgramEvent, ProgramOptions } from './program.fixture.ts';
import { isServerOfCluster, readPostmasterFile } from './server-process.ts';
import { chooseServerUser } from './user.ts';

export interface Program {
  child: ChildProcess;
  pid: number;
  events: ProgramEvent[];
  /** Resolves at the first event of the kind, including past ones. */
  until<Kind extends ProgramEvent['event']>(
    event: Kind,
    matches?: (event: Extract<ProgramEvent, { event: Kind }>) => boolean,
  ): Promise<Extract<ProgramEvent, { event: Kind }>>;
  whenEnded: Promise<string | number | null>;
}

const program = fileURLToPath(new URL('program.fixture.ts', import.meta.url));

/** Runs the program in its own process group, so that the group can be signalled as by a terminal. */
function runProgram(options: ProgramOptions, env: NodeJS.ProcessEnv, under: string[]): Program {
  const [command, ...args] = [...under, process.execPath, program, JSON.stringify(options)];
  const child = spawn(command, args, {
    detached: true,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const events: ProgramEvent[] = [];
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line) as ProgramEvent);
  });
  const whenEnded = new Promise<string | number | null>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  return {
    child,
    pid: child.pid ?? 0,
    events,
    whenEnded,
    until: (kind, matches = () => true) =>
      eventually(`${kind} of the program (${stderr})`, () => {
        const found = events.find((event) => event.event === kind && matches(event as never));
        const failed = events.find((event) => event.event === 'failed');
        if (found === undefined && failed !== undefined) throw new Error(failed.message);
        return found as never;
      }),
  };
}

/** Polls until the value exists. */
export async function eventually<T>(
  what: string,
  find: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  withinMs = 40_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== null && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await delay(20);
  }
}

/** Runs one query on its own connection. */
export async function query<Row extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Opens a lasting session; returns its backend's process id. */
export async function openSession(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/** Data directories, removed in the end together with every process in them. */
export class Scratch {
  readonly #folders: string[] = [];
  readonly #programs: Program[] = [];

  folder(owner?: { uid: number; gid: number }): string {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'embedded-server-'));
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
    this.#folders.push(folder);
    return folder;
  }

  /** A folder with a cluster that has run: for what is not about making one. */
  dataDir(owner?: { uid: number; gid: number }): string {
    const folder = this.folder(owner);
    layCluster(folder);
    return folder;
  }

  alsoClear(dataDir: string): void {
    this.#folders.unshift(dataDir);
  }

  run(options: ProgramOptions, env: NodeJS.ProcessEnv = {}): Program {
    const started = runProgram(options, env, []);
    this.#programs.push(started);
    return started;
  }

  /** Runs the program through another command, such as a shell that sets a limit. */
  runUnder(command: string[], options: ProgramOptions): Program {
    const started = runProgram(options, { PATH: process.env['PATH'] }, command);
    this.#programs.push(started);
    return started;
  }

  async clear(): Promise<void> {
    for (const { child, whenEnded } of this.#programs) {
      child.kill('SIGKILL');
      await whenEnded;
    }
    for (const folder of this.#folders) {
      const clusterDir = path.join(folder, 'postgres', 'cluster');
      const pid = readPostmasterFile(clusterDir)?.pid;
      if (pid !== undefined && isServerOfCluster(pid, clusterDir)) {
        process.kill(pid, 'SIGQUIT');
        await eventually('the end of the server', () => !isServerOfCluster(pid, clusterDir));
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
    this.#folders.length = 0;
    this.#programs.length = 0;
  }
}

/**
 * The users to run a test as: the current one and, if that is root, also an ordinary one that the program switches to.
 * So a machine that can test both cases does.
 */
export function usersToRunAs(): { name: string; runAs?: { uid: number; gid: number } }[] {
  const user = chooseServerUser({ clusterDir: '/nonexistent' });
  return user === null
    ? [{ name: 'an ordinary user' }]
    : [{ name: 'root' }, { name: 'an ordinary user', runAs: user }];
}

export const clusterOf = (dataDir: string) => path.join(dataDir, 'postgres', 'cluster');
