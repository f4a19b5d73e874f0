import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { SERVICE_COMMAND } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import { send } from '../send.ts';
import { addressIn, aProcess, anEnvironment, lostLines, makeLines, START_WITHIN_MS } from './a-process.ts';
import { aTerminal } from './a-terminal.ts';
import { aDataDir } from './an-embedded-service.ts';

// Slow: each test starts the sources as a process, and waits until its log is given up.

const patience = { timeout: START_WITHIN_MS + 60_000 };

const isServing = async (url: string) => (await send('GET', `${url}/readyz`)).status === 200;

// Broke: `node … main.ts | head -1` kept serving, and then survived every signal but SIGKILL.
test('with its log piped into head it serves on, and ends at SIGTERM', patience, async () => {
  const script = 'trap "" TERM; { "$@"; echo "exit $?" >&2; } | head -n 1';
  const pipeline = aProcess(['/bin/sh', '-c', script, 'sh', ...SERVICE_COMMAND], {
    env: await anEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const url = await pipeline.url();
  await makeLines(url, 5);
  await until('lines were lost', async () => (await lostLines(url)) > 0);
  expect(await isServing(url)).toBe(true);
  process.kill(-Number(pipeline.child.pid), 'SIGTERM'); // the whole pipeline, like a terminal or a supervisor
  await until('it ended', () => /^exit .*\n/m.test(pipeline.output()));
  expect(pipeline.output()).toMatch(/^exit 0$/m);
});

/** A named pipe with a reader. */
function aPipe() {
  const path = join(aFolder(), 'log');
  execFileSync('mkfifo', [path]);
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(path, constants.O_WRONLY);
  return { readEnd, writeEnd };
}

test('a second signal ends it at once, even with the log unread', patience, async () => {
  const { readEnd, writeEnd } = aPipe();
  const service = aProcess(SERVICE_COMMAND, {
    env: await anEnvironment(),
    stdio: ['ignore', writeEnd, 'pipe'],
  });
  closeSync(writeEnd);
  const url = await service.url();
  closeSync(readEnd);
  await makeLines(url, 3);
  const { port } = new URL(url);
  // A request whose body never comes; the interim answer shows that the service has begun it.
  const halfRequest = connect(Number(port), '127.0.0.1', () =>
    halfRequest.write(
      'POST /verification-output HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n',
    ),
  );
  halfRequest.on('error', () => undefined);
  onTestFinished(() => void halfRequest.destroy());
  const [interim] = await once(halfRequest, 'data');
  expect(String(interim)).toMatch(/^HTTP\/1\.1 100 /);
  service.child.kill('SIGTERM');
  await until('a later signal ends it', () => {
    service.child.kill('SIGINT');
    return service.child.exitCode ?? undefined;
  });
  expect(await service.ended()).toBe('exit 1');
});

// Like a stopped `less`: the pipe is full, and a write to it blocks indefinitely.
test('a reader that stopped reading holds up neither calls nor the end', patience, async () => {
  const { readEnd, writeEnd } = aPipe();
  onTestFinished(() => closeSync(readEnd));
  const service = aProcess(SERVICE_COMMAND, {
    env: await anEnvironment(),
    stdio: ['ignore', writeEnd, 'pipe'],
  });
  closeSync(writeEnd);
  const url = await service.url();
  await makeLines(url, 600); // the pipe holds 64 KB, the rest waits
  expect(await isServing(url)).toBe(true);
  service.child.kill('SIGTERM');
  expect(await service.ended()).toBe('exit 0');
});

test('so does one at the other end of a socket', patience, async () => {
  const service = aProcess(SERVICE_COMMAND, {
    env: await anEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await service.url();
  await makeLines(url, 3_000);
  expect(await isServing(url)).toBe(true);
  service.child.kill('SIGTERM');
  expect(await service.ended()).toMatch(/^exit 0$|^SIGKILL$/);
});

/**
 * A terminal, and its device for a program's stdout. A separate process holds the other end: if this one opened it, its
 * children would inherit it, and the terminal would never close.
 */
async function aTerminalDevice() {
  // By its path: a script on the command line would look for it from the folder where the tests were begun.
  const pty = JSON.stringify(fileURLToPath(import.meta.resolve('@lydell/node-pty')));
  const script = `require(${pty}).spawn('/bin/sh', ['-c', 'tty; exec sleep 1000'], {}).onData((text) => process.stderr.write(text))`;
  const holder = aProcess([process.execPath, '-e', script], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const path = await until('the terminal has a name', () => /\/dev\/\S+(?=\s)/.exec(holder.output())?.[0]);
  return {
    output: openSync(path, constants.O_WRONLY | constants.O_NOCTTY),
    close: async () => {
      holder.child.kill('SIGKILL');
      await holder.ended();
    },
  };
}

// Broke: its lines were retried ten times a second without end, and a second SIGTERM changed nothing.
test('when its terminal has closed it serves on, and ends at SIGTERM', patience, async () => {
  const { output, close } = await aTerminalDevice();
  const service = aProcess(SERVICE_COMMAND, {
    env: await anEnvironment(),
    stdio: ['ignore', output, 'pipe'],
  });
  closeSync(output);
  const url = await service.url();
  await makeLines(url, 3);
  await close();
  await makeLines(url, 3);
  await until('lines were lost', async () => (await lostLines(url)) > 0);
  expect(await isServing(url)).toBe(true);
  service.child.kill('SIGTERM');
  expect(await service.ended()).toBe('exit 0');
});

// Broke: with both streams on it, no SIGHUP and an embedded database, the process never ended and kept its folder.
test(
  'when the terminal of all it says has closed it ends at SIGTERM, and frees its folder',
  patience,
  async () => {
    const embedded = await anEmbeddedEnvironment();
    const { output, close } = await aTerminalDevice();
    const service = aProcess(SERVICE_COMMAND, {
      env: embedded,
      stdio: ['ignore', output, output],
      detached: true,
    });
    closeSync(output);
    const url = await service.url();
    expect(await isServing(url)).toBe(true);
    await close();
    await makeLines(url, 3);
    await until('lines were lost', async () => (await lostLines(url)) > 0);
    service.child.kill('SIGTERM');
    expect(await service.ended()).toBe('exit 0');
    expect(postmasterFiles(embedded['DATA_DIR'])).toEqual([]);
  },
);

// The kernel sends SIGHUP when a terminal closes; an immediate exit would abandon the database.
test('in a terminal that closes it drains, as at Ctrl-C', patience, async () => {
  const embedded = await anEmbeddedEnvironment();
  const terminal = aTerminal(embedded);
  const url = await addressIn(embedded['DATA_DIR'] ?? '');
  expect(await isServing(url)).toBe(true);
  terminal.close();
  await until('the process is gone', () => isGone(terminal.pid));
  expect(postmasterFiles(embedded['DATA_DIR'])).toEqual([]);
});

/** The environment of a service on its embedded database. */
async function anEmbeddedEnvironment(): Promise<Record<string, string>> {
  const { DATABASE_URL: _, ENCRYPTION_KEY: __, ...embedded } = await anEnvironment();
  return { ...embedded, DATA_DIR: aDataDir() };
}

/** The files that a server keeps while it runs. */
function postmasterFiles(dataDir = ''): string[] {
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('postmaster.pid'),
  );
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

test('with stderr closed it starts, serves and ends as ever', patience, async () => {
  const service = aProcess(SERVICE_COMMAND, {
    env: await anEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  service.child.stderr?.destroy();
  service.child.stdout?.resume();
  expect(await isServing(await service.url())).toBe(true);
  service.child.kill('SIGTERM');
  expect(await service.ended()).toBe('exit 0');
});

test('a start that fails ends with 1, also when its output is unread', patience, async () => {
  const env = { ...(await anEnvironment()), PORT: 'none' };
  const service = aProcess(SERVICE_COMMAND, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  service.child.stderr?.destroy();
  expect(await service.ended()).toBe('exit 1');
});
