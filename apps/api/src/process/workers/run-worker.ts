import { createLogStream } from '../../telemetry/log-stream.ts';
import { createLog, type Log } from '../../telemetry/log.ts';
import { describeStartFailure } from '../describe-start-failure.ts';
import { joinSupervisor } from './join-supervisor.ts';
import { readSeatedConfig, startWorker } from './start-worker.ts';

/** Milliseconds until a drain is given up. */
const HARD_EXIT_MS = 25_000;

/** Milliseconds the last log lines may take, whoever reads them. */
const LAST_LINES_MS = 1_000;

/** Milliseconds an idle connection may stay when another worker takes over. */
const LINGER_MS = 5_000;

// A lost reader must not affect those being served.
process.stderr.on('error', () => undefined);
const stdout = createLogStream(1);
process.on('exit', () => stdout.flushNow());

// A terminal tells the whole group; what it means is the supervisor's to say.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => undefined);

const supervisor = joinSupervisor();
let workerLog: Log | undefined;
let isEnding = false;
try {
  const crew = await supervisor.crew;
  const config = readSeatedConfig(crew.seat);
  const log = createLog(config.logLevel, stdout, crew.seat.number);
  workerLog = log;
  const starting = startWorker(config, log, crew);
  // Told during the start, it ends once that has ended; a failed start is reported below.
  const end = (lingerMs: number) =>
    void starting.then(
      ({ stop }) => drain(() => stop(lingerMs), log),
      () => undefined,
    );
  process.on('SIGTERM', () => end(0));
  void supervisor.whenDismissed.then((why) => end(why === 'retired' ? LINGER_MS : 0));
  const { url, metricsUrl, notifier, openConsole } = await starting;
  supervisor.tell({ kind: 'serving', url, metricsUrl, notifier });
  if (config.hasConsole) await openConsole();
} catch (err) {
  supervisor.tell({ kind: 'failed', words: describeStartFailure(err) });
  workerLog?.error({ err }, 'the worker could not start');
  await leave(1);
}

/** Once, however often it is told. */
async function drain(stop: () => Promise<void>, log: Log): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  setTimeout(() => process.exit(1), HARD_EXIT_MS).unref();
  try {
    await stop();
  } catch (err) {
    log.error({ err }, 'stopping failed');
    await leave(1);
  }
  log.debug('stopped');
  await leave(0);
}

/** Ends the process once its last lines are written, or nobody reads them. */
async function leave(code: number): Promise<never> {
  await stdout.flush(LAST_LINES_MS);
  if (stdout.isHeldUp) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}
