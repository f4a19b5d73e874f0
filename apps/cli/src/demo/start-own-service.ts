import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '@insurance-verification/payer-simulator';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import { CommandFailedError } from '../failure/failure.ts';
import { readKept } from '../service/config.ts';
import type { DemoService } from './demo-service.ts';

const program = fileURLToPath(new URL('../../../api/src/main.js', import.meta.url));

/** The service's log line that announces its address. */
const LISTENING = /^\{.*"url":"(http:[^"]+)".*"msg":"listening"\}$/m;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Starts the service in a temporary folder, on a free port, with default settings. It inherits none of this terminal's
 * configuration, above all no `DATABASE_URL`. Disposing of it, or a signal to this process, stops it and removes the
 * folder.
 */
export async function startOwnService(): Promise<DemoService> {
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
      child.stdout?.off('data', read).resume(); // nobody reads the rest
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
