import { isatty } from 'node:tty';
import { type Config, readConfig } from '../config/config.ts';
import { createLogStream } from '../telemetry/log-stream.ts';
import { createLog, type Log, readableLog } from '../telemetry/log.ts';
import { describeStartFailure } from './describe-start-failure.ts';
import { type Service, startService } from './start-service.ts';
import { printStartupSummary } from './startup-summary.ts';

/** Milliseconds until a drain is given up. */
const HARD_EXIT_MS = 25_000;

/** Milliseconds that writing the last log lines may take. */
const LAST_LINES_MS = 1_000;

/** Milliseconds in which signals are one: the terminal sends it to all, and a parent passes on its own. */
const ONE_SIGNAL_MS = 1_000;

// A closed pipe or terminal must not affect those being served.
process.stderr.on('error', () => undefined);
const stdout = createLogStream(1);
process.on('exit', () => stdout.flushNow());

/** Undefined until the configuration is read. */
let processLog: Log | undefined;
let isEnding = false;
let endingSince = 0;
try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, isatty(1) ? await readableLog(stdout) : stdout);
  processLog = log;
  const starting = startService(config, log);
  stopOnSignals(starting, config, log);
  const service = await starting;
  // For supervisors: the one line that says that the service is up, and where.
  const { url = null, metricsUrl } = service;
  log.info({ url, ...(metricsUrl && { metrics_url: metricsUrl }), roles: config.roles }, 'listening');
  // Log lines are batched: without this flush, the first ones would appear below what a person should see last.
  await stdout.flush(LAST_LINES_MS);
  if (!isEnding) {
    printStartupSummary(service, config);
    await service.openConsole();
  }
} catch (err) {
  // The end was asked for, so exit cleanly: the failure may be no more than a part that received the same Ctrl-C.
  if (isEnding) {
    processLog?.info('stopped');
    await leave(0);
  }
  await stdout.flush(LAST_LINES_MS);
  process.stderr.write(`${describeStartFailure(err)}\n`);
  await leave(1);
}

/**
 * The first signal drains; a second one, or the deadline, ends the process on the spot. A signal during the start takes
 * effect once the start has ended: dying there would leave the embedded database running without an owner. A closing
 * terminal sends SIGHUP, which drains too, and never ends a drain. In production a SIGTERM means a restart, and a
 * proxy must learn of it before the port closes.
 *
 * A signal may arrive twice, from the terminal and from a parent that waits for the end: pnpm, a shell, `node --watch`.
 * So what comes within a second is the first one.
 */
function stopOnSignals(starting: Promise<Service>, { production }: Config, log: Log): void {
  const stop = (signal: NodeJS.Signals) => {
    if (isEnding && (signal === 'SIGHUP' || performance.now() - endingSince < ONE_SIGNAL_MS)) return;
    if (isEnding) exit(1);
    isEnding = true;
    endingSince = performance.now();
    log.info({ signal }, 'stopping');
    setTimeout(() => exit(1), HARD_EXIT_MS).unref();
    starting.then(
      (service) => drain(service, production && signal === 'SIGTERM', log),
      () => undefined, // reported, and exited with, where the start is awaited
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', stop);
}

async function drain(service: Service, isBehindProxy: boolean, log: Log): Promise<never> {
  try {
    await service.stop(isBehindProxy);
  } catch (err) {
    log.error({ err }, 'stopping failed');
    return leave(1);
  }
  log.info('stopped');
  return leave(0);
}

/** Ends the process once its last lines are written or cannot be. */
async function leave(code: number): Promise<never> {
  await stdout.flush(LAST_LINES_MS);
  return exit(code);
}

function exit(code: number): never {
  // An exit would wait for a write that waits for its reader. What must not be cut off has ended, or had its time.
  if (stdout.isHeldUp) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}
