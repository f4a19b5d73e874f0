import cluster from 'node:cluster';
import { freeShards } from '@insurance-verification/store';
import type { Config } from '../../config/config.ts';
import { StartError } from '../../config/start-error.ts';
import { buildConsole } from '../../http/console/site/build-console.ts';
import { INSTANCE } from '../../http/probes/announce-address.ts';
import type { Log } from '../../telemetry/log.ts';
import { createProcessRegistry } from '../../telemetry/metrics.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import type { Roles } from '../start-roles.ts';
import { gatherMetrics } from './gather-metrics.ts';
import { type HiredWorker, hireWorker } from './hire-worker.ts';
import { allServing, keepSeat, type KeptSeat } from './keep-seat.ts';
import { measureSeats } from './measure-seats.ts';
import type { FromWorker } from './worker-messages.ts';

/** Failed starts in a row of one seat, with no worker left that serves, after which the service gives up. */
const FAILURES_MAX = 5;

/**
 * Starts `config.workers` processes that share the ports, and keeps them running: the supervisor takes connections in
 * and hands them to the workers in turn.
 */
export async function startWorkers(config: Config, database: OpenDatabase, log: Log): Promise<Roles> {
  const { promise: whenLost, resolve: lose } = Promise.withResolvers<string>();
  let isUp = false;
  let consoleState: { readonly failure: string | null } | undefined;
  const seats: KeptSeat[] = [];
  const registry = createProcessRegistry(log, 'supervisor');
  const serving = () => seats.map((seat) => seat.worker()).filter((worker) => worker.isServing());
  const metrics = gatherMetrics(serving, registry);
  measureSeats(registry, seats);

  const onMessage = (from: HiredWorker, message: FromWorker) => {
    if (message.kind === 'farewell') from.tell(message);
    if (message.kind === 'measured') metrics.take(from, message.id, message.metrics);
    if (message.kind === 'scrape')
      void metrics.gather().then((text) => from.tell({ kind: 'scraped', id: message.id, text }));
  };

  const hire = (number: number) => {
    const { port, metricsPort } = config;
    const embeddedUrl = config.databaseUrl === undefined ? database.directUrl : undefined;
    const seat = { number, port, metricsPort, instance: INSTANCE, embeddedUrl, isReady: isUp };
    const worker = hireWorker({ seat, relay: log.relay, onMessage });
    if (consoleState) worker.tell({ kind: 'console', ...consoleState });
    return worker;
  };

  const keep = (number: number) =>
    keepSeat({
      hire: () => hire(number),
      // Others need not wait for the lease of what it delivered to.
      onDied: ({ notifier }) =>
        void freeShards(database.store, notifier).catch((err: unknown) =>
          log.warn({ err }, 'the shards of a dead worker could not be freed; they lapse'),
        ),
      onFailed: (words, failureCount) => {
        if (!isUp) return; // the start reports it
        log.error({ worker: number, words, failures: failureCount }, 'a worker cannot start; tried again');
        if (failureCount >= FAILURES_MAX && serving().length === 0)
          lose(`No worker can start any more. Worker ${number}: ${words}`);
      },
      log,
    });

  const tellAll = (...message: Parameters<HiredWorker['tell']>) => {
    for (const seat of seats) seat.worker().tell(...message);
  };
  const stopAll = () => Promise.all(seats.map((seat) => seat.stop()));
  // An exit on the spot takes them along; a killed supervisor cannot, so they end themselves.
  process.once('exit', () =>
    Object.values(cluster.workers ?? {}).forEach((worker) => worker?.process.kill('SIGKILL')),
  );

  for (let number = 1; number <= config.workers; number += 1) seats.push(keep(number));
  const first = await allServing(seats).catch(async (err: Error & { worker?: number }) => {
    await stopAll();
    throw new StartError(`Worker ${err.worker} cannot start: ${err.message}`, { cause: err });
  });
  isUp = true;
  tellAll({ kind: 'ready' });

  const building = new AbortController();
  return {
    ...first,
    whenLost,
    openConsole: async () => {
      const failure =
        config.hasConsole && !config.production
          ? await buildConsole(building.signal).then(
              () => null,
              (err: Error) => err.message,
            )
          : null;
      consoleState = { failure };
      tellAll({ kind: 'console', failure });
    },
    replaceWorkers: oneAtATime(async () => {
      for (const [index, seat] of seats.entries()) {
        try {
          await seat.replace();
        } catch (err) {
          const words = err instanceof Error ? err.message : String(err);
          log.error({ worker: index + 1, words }, 'a worker could not be replaced, so the others stay');
          return;
        }
      }
      log.info({ workers: seats.length }, 'all workers replaced');
    }),
    stop: async () => {
      building.abort();
      await stopAll();
    },
  };
}

/** While one run is under way, further calls ask for one more after it. */
function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let isWanted = false;
  let running: Promise<void> | undefined;
  const runAll = async () => {
    while (isWanted) {
      isWanted = false;
      await run();
    }
    running = undefined;
  };
  return () => {
    isWanted = true;
    return (running ??= runAll());
  };
}
