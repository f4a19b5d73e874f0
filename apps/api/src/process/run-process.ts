import { isatty } from 'node:tty';
import { readConfig } from '../config/config.ts';
import { createLogStream } from '../telemetry/log-stream.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { describeStartFailure } from './describe-start-failure.ts';
import { greet } from './greet.ts';
import { readableLog } from './readable-log.ts';
import { type Service, startService } from './start-service.ts';

/** Milliseconds after which a drain is given up. */
const HARD_EXIT_MS = 25_000;

/** Milliseconds that the last lines may take, whoever reads them. */
const LAST_LINES_MS = 1_000;

// A closed pipe or terminal makes no difference to who is served.
process.stderr.on('error', () => undefined);
const stdout = createLogStream(1);
process.on('exit', () => stdout.flushNow());

/** Undefined until the configuration is read. */
let processLog: Log | undefined;
let isEnding = false;
try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, isatty(1) ? await readableLog(stdout) : stdout);
  processLog = log;
  const starting = startService(config, log);
  stopOnSignals(starting, log);
  const service = await starting;
  // For supervisors: the one line that says that the service is there, and where.
  const { url = null, metricsUrl } = service;
  log.info({ url, ...(metricsUrl && { metrics_url: metricsUrl }), roles: config.roles }, 'listening');
  // Lines wait for company: without this, the first ones would come below what a person should see last.
  await stdout.flush(LAST_LINES_MS);
  if (!isEnding) {
    greet(service, config);
    await service.openConsole();
  }
} catch (err) {
  // Who has asked for the end has it. What failed on the way may be no more than a part that heard the same Ctrl-C.
  if (isEnding) {
    processLog?.info('stopped');
    await leave(0);
  }
  await stdout.flush(LAST_LINES_MS);
  process.stderr.write(`${describeStartFailure(err)}\n`);
  await leave(1);
}

/**
 * The first signal drains; a second one, or the deadline, ends the process where it stands. One that comes during the
 * start waits for it to end: dying there would leave the embedded database running without an owner. A terminal that
 * closes says so with SIGHUP, which drains too; it may come twice, from the kernel and from the shell, and means once.
 */
function stopOnSignals(starting: Promise<Service>, log: Log): void {
  const stop = (signal: NodeJS.Signals) => {
    if (isEnding && signal === 'SIGHUP') return;
    if (isEnding) exit(1);
    isEnding = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => exit(1), HARD_EXIT_MS).unref();
    starting.then(
      (service) => drain(service, log),
      () => undefined, // told, and left with, where the start is waited for
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', stop);
}

async function drain(service: Service, log: Log): Promise<never> {
  try {
    await service.stop();
  } catch (err) {
    log.error({ err }, 'stopping failed');
    return leave(1);
  }
  log.info('stopped');
  return leave(0);
}

/** Ends the process when its last lines are written, or nobody takes them. */
async function leave(code: number): Promise<never> {
  await stdout.flush(LAST_LINES_MS);
  return exit(code);
}

function exit(code: number): never {
  // An exit waits for the write that waits for its reader. Whatever must not be cut has ended, or has had its time.
  if (stdout.isHeldUp) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}
