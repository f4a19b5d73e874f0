import { readConfig } from './config.ts';
import { describeStartFailure } from './describe-start-failure.ts';
import { createLogStream } from './log-stream.ts';
import { createLog, type Log } from './log.ts';
import { greet } from './greet.ts';
import { type Service, startService } from './start-service.ts';

/** Milliseconds after which a drain is given up. */
const HARD_EXIT_MS = 25_000;

/** Milliseconds that the last lines may take, whoever reads them. */
const LAST_LINES_MS = 1_000;

// A closed pipe or terminal makes no difference to who is served.
process.stderr.on('error', () => undefined);
const stdout = createLogStream(1);
process.on('exit', () => stdout.flushNow());

try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, stdout);
  const starting = startService(config, log);
  stopOnSignals(starting, log);
  greet(await starting, config);
} catch (err) {
  process.stderr.write(`${describeStartFailure(err)}\n`);
  await leave(1);
}

/**
 * The first signal drains; a second one, or the deadline, ends the process where it stands. One that comes during the
 * start waits for it to end: dying there would leave the embedded database running without an owner. A terminal that
 * closes says so with SIGHUP, which drains too; it may come twice, from the kernel and from the shell, and means once.
 */
function stopOnSignals(starting: Promise<Service>, log: Log): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping && signal === 'SIGHUP') return;
    if (stopping) exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => exit(1), HARD_EXIT_MS).unref();
    const stopped = starting.then((service) => service.stop());
    stopped.then(
      () => leave(0),
      (err: unknown) => {
        log.error({ err }, 'stopping failed');
        return leave(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', stop);
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
