import { type ChildProcess, spawn } from 'node:child_process';
import { inherited } from './inherited.ts';

/** A child process that has logged its address. */
export interface StartedProcess {
  /** Empty when it does not listen. */
  readonly url: string;
  readonly pid: number;
  /** How it ended, such as `SIGKILL` or `exit 0`; null while it runs. */
  readonly ended: () => string | null;
  readonly whenEnded: Promise<string>;
  /** Its stderr, and its log lines at warning level and above. */
  readonly said: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** SIGKILL; resolves when the process is gone. */
  readonly kill: () => Promise<void>;
  /** SIGTERM, sent once however often this is called; resolves with how the process ended. */
  readonly stop: () => Promise<string>;
}

/** The log line by which a program announces itself to its supervisor. */
interface Listening {
  readonly msg: 'listening';
  readonly url: string | null;
}

/** Characters kept of a process's output: enough to see why it failed. */
const SAID_MAX = 200_000;

/** pino's warnings, errors and fatals. Matched as bytes: a busy service logs a megabyte per second. */
const LOUD = ['"level":40', '"level":50', '"level":60'];

/** Kills all children when the runner ends early, for example after a test's timeout. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * Starts a program and resolves when it has logged `{"msg":"listening","url":…}` on stdout. Its log level must be
 * `info`. `detached` gives it its own process group: otherwise it would get Ctrl-C in addition to being stopped.
 * @throws when it ended first, with its output
 */
export async function startProcess(
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  { detached = false }: { detached?: boolean } = {},
): Promise<StartedProcess> {
  const child = spawn(command, args, {
    env: { ...inherited(), HOME: process.env['HOME'] ?? '', ...env },
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
  let isStopping = false;
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
      // A second signal would make the service exit at once and abandon its database.
      if (!isStopping) child.kill('SIGTERM');
      isStopping = true;
      return whenEnded;
    },
  };
}

function listeningOf(line: string): Listening | undefined {
  if (!line.includes('"listening"')) return undefined;
  const entry = JSON.parse(line) as { msg: string; url: string | null };
  return entry.msg === 'listening' ? { ...entry, msg: 'listening' } : undefined;
}
