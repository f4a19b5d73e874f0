import { AggregatorRegistry, type Registry } from 'prom-client';
import type { HiredWorker } from './hire-worker.ts';
import type { Measured } from './worker-messages.ts';

/** Asks workers for their metrics, and puts the answers together. */
export interface MetricsGathering {
  readonly gather: () => Promise<string>;
  /** A worker's answer. */
  readonly take: (worker: HiredWorker, id: number, metrics: Measured) => void;
}

/** Milliseconds after which a scrape goes on without a worker that is too busy to answer. */
const ANSWER_MS = 2_000;

/**
 * @param workers those that serve.
 * @param own what the supervisor tells of itself and of them.
 */
export function gatherMetrics(workers: () => readonly HiredWorker[], own: Registry): MetricsGathering {
  const asked = new Map<string, (metrics: Measured) => void>();
  let lastId = 0;

  const ask = async (worker: HiredWorker, id: number): Promise<Measured> => {
    const key = keyOf(worker, id);
    const { promise, resolve } = Promise.withResolvers<Measured>();
    const timer = setTimeout(() => resolve([]), ANSWER_MS);
    asked.set(key, resolve);
    worker.tell({ kind: 'measure', id });
    const nothing = worker.whenEnded.then((): Measured => []);
    try {
      return await Promise.race([promise, nothing]);
    } finally {
      clearTimeout(timer);
      asked.delete(key);
    }
  };

  return {
    gather: async () => {
      lastId += 1;
      const id = lastId;
      const all = await Promise.all([...workers().map((worker) => ask(worker, id)), own.getMetricsAsJSON()]);
      // Each worker's series have its label, so there is nothing to sum up; and nothing is left out.
      const apart = all.map((metrics) =>
        metrics.map((metric) => ({ ...metric, aggregator: 'sum' as const })),
      );
      return AggregatorRegistry.aggregate(apart).metrics();
    },
    take: (worker, id, metrics) => asked.get(keyOf(worker, id))?.(metrics),
  };
}

const keyOf = ({ pid }: HiredWorker, id: number) => `${pid} ${id}`;
