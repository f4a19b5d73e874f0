import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import type { FromWorker, Seat, ToWorker } from './worker-messages.ts';

/** A worker's supervisor, as far as its roles know it. */
export interface Crew {
  readonly seat: Seat;
  /** Whether all workers have begun to serve. */
  readonly isReady: () => boolean;
  /** Resolves when the supervisor has built the console. @throws when it could not. */
  readonly consoleBuilt: (signal: AbortSignal) => Promise<void>;
  /**
   * Resolves when no connection is on its way to this worker any more, once its ports are closed. One that comes until
   * then goes back, for another worker; with an end before, its client would wait in vain.
   */
  readonly farewell: () => Promise<void>;
  /** Answers the supervisor from a registry. @returns a function that asks it for the metrics of all workers. */
  readonly measureThrough: (registry: Registry) => () => Promise<string>;
}

/** A worker's end of the channel to its supervisor. */
export interface Supervisor {
  readonly crew: Promise<Crew>;
  readonly tell: (message: FromWorker) => void;
  /** Resolves when the seat was given to another process, or when the supervisor is gone. */
  readonly whenDismissed: Promise<'retired' | 'orphaned'>;
}

/** Milliseconds a scrape waits for the supervisor, who waits half as long for each worker. */
const SCRAPE_MS = 4_000;

export function joinSupervisor(): Supervisor {
  const { worker } = cluster;
  if (!worker) throw new Error('Only a worker has a supervisor.');
  // Else Node ends this process at once when the supervisor dies, and cuts what is under way.
  worker.exitedAfterDisconnect = true;
  const { promise: seated, resolve: sit } = Promise.withResolvers<Seat>();
  const { promise: whenDismissed, resolve: dismiss } = Promise.withResolvers<'retired' | 'orphaned'>();
  const { promise: whenConsole, resolve: tellConsole } = Promise.withResolvers<string | null>();
  const { promise: whenLeft, resolve: part } = Promise.withResolvers<void>();
  const scrapes = new Map<number, (text: string) => void>();
  let scrapeCount = 0;
  let isReady = false;
  let registry: Registry | undefined;

  const tell = (message: FromWorker) => {
    if (process.connected) process.send?.(message);
  };
  const measure = async (id: number) =>
    tell({ kind: 'measured', id, metrics: (await registry?.getMetricsAsJSON()) ?? [] });

  process.on('disconnect', () => {
    dismiss('orphaned');
    part();
  });
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'begin') sit(message.seat);
    if (message.kind === 'ready') isReady = true;
    if (message.kind === 'console') tellConsole(message.failure);
    if (message.kind === 'retire') dismiss('retired');
    if (message.kind === 'farewell') part();
    if (message.kind === 'measure') void measure(message.id);
    if (message.kind === 'scraped') scrapes.get(message.id)?.(message.text);
  });

  const scrape = async () => {
    scrapeCount += 1;
    const id = scrapeCount;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const timer = setTimeout(() => reject(new Error('The supervisor told no metrics.')), SCRAPE_MS);
    scrapes.set(id, resolve);
    tell({ kind: 'scrape', id });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      scrapes.delete(id);
    }
  };

  return {
    crew: seated.then((seat) => {
      isReady ||= seat.isReady;
      return {
        seat,
        isReady: () => isReady,
        consoleBuilt: async (signal) => {
          const aborted = new Promise<never>((_, reject) =>
            signal.addEventListener('abort', () => reject(new Error('The worker ends.'))),
          );
          const failure = await Promise.race([whenConsole, aborted]);
          if (failure !== null) throw new Error(failure);
        },
        farewell: () => {
          tell({ kind: 'farewell' });
          return process.connected ? whenLeft : Promise.resolve();
        },
        measureThrough: (own) => {
          registry = own;
          // An orphan tells what it knows.
          return () => (process.connected ? scrape() : own.metrics());
        },
      };
    }),
    tell,
    whenDismissed,
  };
}
