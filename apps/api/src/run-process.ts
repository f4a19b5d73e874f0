import { readConfig } from './config.ts';
import { describeStartFailure } from './describe-start-failure.ts';
import { createLog, type Log } from './log.ts';
import { greet } from './greet.ts';
import { type Service, startService } from './start-service.ts';

/** Milliseconds after which a drain is given up. */
const HARD_EXIT_MS = 25_000;

try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const starting = startService(config, log);
  stopOnSignals(starting, log);
  greet(await starting, config);
} catch (err) {
  process.stderr.write(`${describeStartFailure(err)}\n`);
  process.exit(1);
}

/**
 * The first signal drains; a second one, or the deadline, ends the process where it stands. One that comes during the
 * start waits for it to end: dying there would leave the embedded database running without an owner.
 */
function stopOnSignals(starting: Promise<Service>, log: Log): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), HARD_EXIT_MS).unref();
    const stopped = starting.then((service) => service.stop());
    stopped.then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
