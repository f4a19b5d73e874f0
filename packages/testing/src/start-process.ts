import { type ChildProcess, spawn } from 'node:child_process';

/** A program in a process of its own that has logged where it listens. */
export interface StartedProcess {
  /** Empty for one that listens nowhere. */
  readonly url: string;
  readonly pid: number;
  /** What ended it, such as `SIGKILL` or `exit 0`; null while it runs. */
  readonly ended: () => string | null;
  readonly whenEnded: Promise<string>;
  /** What it has said on stderr, and in its log at the level of warnings and above. */
  readonly said: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** SIGKILL; resolves when it is gone. */
  readonly kill: () => Promise<void>;
  /** SIGTERM, once however often it is called; resolves with what ended it. */
  readonly stop: () => Promise<string>;
}

/** The line of a log by which a program tells its supervisor that it is there. */
interface Listening {
  readonly msg: 'listening';
  readonly url: string | null;
}

/** Characters kept of what a process says: enough to see why it failed. */
const SAID_MAX = 200_000;

/** pino's warnings, errors and fatal ends. Searched for in bytes: a busy service logs a megabyte per second. */
const LOUD = ['"level":40', '"level":50', '"level":60'];

/** A runner that ends in the middle, as a test that took too long, leaves none behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * Starts a program and resolves when it has logged `{"msg":"listening","url":…}` on stdout. Its log must have the level
 * `info`. `detached` gives it a group of its own: of a Ctrl-C it would hear beside being told to stop.
 * @throws when it ended first, with what it said
 */
export async function startProcess(
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  { detached = false }: { detached?: boolean } = {},
): Promise<StartedProcess> {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });
  running.add(child);
  let said = '';
  let ended: string | null = null;
  const say = (text: string) => (said = `${said}${text}`.slice(-SAID_MAX));
  const { promise: whenEnded, resolve: end } = Promise.withResolvers<string>();
  const { promise: whenListening, resolve: listening, reject: fail } = Promise.withResolvers<Listening>();
  let log = '';
  const findLine = (chunk: Buffer) => {
    log += chunk.toString();
    const line = log.split('\n').slice(0, -1).map(listeningOf).find(Boolean);
    if (!line) return;
    child.stdout.off('data', findLine);
    listening(line);
  };
  child.stdout.on('data', findLine);
  child.stdout.on('data', (chunk: Buffer) => {
    if (LOUD.some((level) => chunk.includes(level))) say(chunk.toString());
  });
  child.stderr.on('data', (chunk: Buffer) => say(chunk.toString()));
  child.once('error', fail);
  child.once('close', (code, signal) => {
    running.delete(child);
    ended = signal ?? `exit ${code}`;
    end(ended);
    fail(new Error(`${args.at(-1) ?? command} ended with ${ended}: ${said.slice(-2_000)}`));
  });
  let isTold = false;
  return {
    url: (await whenListening).url ?? '',
    pid: child.pid ?? 0,
    ended: () => ended,
    whenEnded,
    said: () => said,
    signal: (signal) => void child.kill(signal),
    kill: async () => {
      child.kill('SIGKILL');
      await whenEnded;
    },
    stop: () => {
      // Told twice, the service would end where it stands and leave its database.
      if (!isTold) child.kill('SIGTERM');
      isTold = true;
      return whenEnded;
    },
  };
}

function listeningOf(line: string): Listening | undefined {
  if (!line.includes('"listening"')) return undefined;
  const entry = JSON.parse(line) as { msg: string; url: string | null };
  return entry.msg === 'listening' ? { ...entry, msg: 'listening' } : undefined;
}
