import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inCheckout } from '@insurance-verification/environment';
import { startSimulator } from '@insurance-verification/payer-simulator';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { readKept } from '../service/config.ts';
import { findApiKey, locateService, lookForService } from '../service/connect.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The service that the demo uses. Disposing of it stops it if the demo started it. */
export interface DemoService extends AsyncDisposable {
  readonly url: string;
  readonly apiKey: string;
  /** The key's origin, for a message. */
  readonly keySource: string;
  /** Whether the demo started it. */
  readonly own: boolean;
  /** The payer that the service asks over X12, and its URL; null when the demo did not configure one. */
  readonly apiPayer: { readonly payer: string; readonly payerUrl: string } | null;
}

/** The timeout of the readiness probe in milliseconds. */
const ANSWER_MS = 3_000;

/**
 * The service in `IV_URL`, or the one that runs here; if none answers, the demo starts one.
 * @throws {WrongUsageError} when several run here, as for every command.
 */
export async function findService(command: Command, terminal: Terminal): Promise<DemoService> {
  const environment = process.env;
  const url = await (inCheckout ? lookForService : locateService)(environment, command);
  if (url === undefined || !(await answersReady(url))) {
    const missing = url === undefined ? 'No service runs here' : `No service answers at ${url}`;
    if (!inCheckout)
      throw new CommandFailedError(`${missing}. A demo starts a service of its own only in a checkout.`);
    terminal.say(`${missing}; starting one for this demo.`);
    return startOwnService();
  }
  const { apiKey, source: keySource } = await findApiKey(environment, url);
  if (apiKey !== undefined)
    return { url, apiKey, keySource, own: false, apiPayer: null, [Symbol.asyncDispose]: async () => {} };
  throw new WrongUsageError(
    `A service answers at ${url}, but there is no API key for it. Expected one in IV_API_KEY; found none in ${keySource}.\n` +
      'Right, for example: IV_API_KEY_FILE=/run/secrets/iv-api-key iv demo',
  );
}

/** @throws {CommandFailedError} when the service is running but not ready. */
async function answersReady(url: string): Promise<boolean> {
  const status = await statusOf(url);
  if (status === 503)
    throw new CommandFailedError(
      `The service at ${url} is not ready (503). Try again when its /readyz answers 200.`,
    );
  return status === 200;
}

/** The status of `/readyz`; undefined when nothing, or another program, answers. */
async function statusOf(url: string): Promise<number | undefined> {
  try {
    const res = await fetch(`${url.replace(/\/+$/, '')}/readyz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (res.status === 503) return 503;
    const answer: unknown = await res.json();
    const isOurs =
      typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'ready';
    return isOurs ? 200 : undefined;
  } catch {
    return undefined;
  }
}

const program = fileURLToPath(new URL('../../../api/src/main.js', import.meta.url));

/** The service's log line that announces its address. */
const LISTENING = /^\{.*"url":"(http:[^"]+)".*"msg":"listening"\}$/m;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Starts the service in a temporary folder, on a free port, with default settings. It inherits none of this terminal's
 * configuration, above all no `DATABASE_URL`. Disposing of it, or a signal to this process, stops it and removes the
 * folder.
 */
async function startOwnService(): Promise<DemoService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'iv-demo-'));
  const simulator = await startSimulator();
  const payersFile = join(dataDir, 'payers.json');
  await writeFile(payersFile, JSON.stringify(payersOf(simulator.url)));
  const child = spawn(process.execPath, ['--conditions=@insurance-verification/source', program], {
    env: { ...surroundings(), DATA_DIR: dataDir, PAYERS_FILE: payersFile, PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: otherwise it would get Ctrl-C twice, and exit at the second without stopping its database.
    detached: true,
  });
  const ended = once(child, 'exit');
  ended.catch(() => undefined); // reported by `address`
  const end = async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await ended;
    }
    await simulator.stop();
    await rm(dataDir, { recursive: true, force: true });
    for (const signal of signals) process.off(signal, stopAndExit);
  };
  // Once, however often Ctrl-C is pressed: at a second signal the service exits without stopping its database.
  let ending: Promise<void> | undefined;
  const stop = () => (ending ??= end());
  const stopAndExit = () => void stop().finally(() => process.exit(1));
  for (const signal of signals) process.on(signal, stopAndExit);
  try {
    const url = await addressOf(child);
    const apiKey = readKept(dataDir, 'api-key');
    if (apiKey === undefined)
      throw new CommandFailedError(`The service started for the demo kept no API key in ${dataDir}.`);
    const apiPayer = { payer: API_PAYER, payerUrl: simulator.url };
    return { url, apiKey, keySource: dataDir, own: true, apiPayer, [Symbol.asyncDispose]: stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

/** The last placeholder payer: a verifier works the first. */
const API_PAYER = DEFAULT_PAYERS[3];

/** The placeholder payers, one of them asked over X12. */
function payersOf(url: string) {
  const x12 = { url, sender_id: 'IVDEMO', receiver_id: 'SIMULATOR', test: true };
  const payers = DEFAULT_PAYERS.map((name, index) => ({
    id: `plan-${index + 1}`,
    name,
    ...(name === API_PAYER && { channels: ['api'], x12 }),
  }));
  return { payers };
}

/** The variables that any program needs to run. */
function surroundings(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'USER', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT', 'LANG'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

async function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    let log = '';
    const read = (text: string) => {
      log += text;
      const url = LISTENING.exec(log)?.[1];
      if (url === undefined) return;
      child.stdout?.off('data', read).resume(); // the rest is not read
      resolve(url);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.once('error', (err) =>
      reject(new CommandFailedError(`The service could not be started: ${err.message}`)),
    );
    child.once('close', (code) => {
      reject(
        new CommandFailedError(
          `The service started for the demo ended (${code}) before it was there:\n${said.trim()}`,
        ),
      );
    });
  });
}
