import type { Store } from '@insurance-verification/store';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { createExchange } from './api-channel/create-exchange.ts';
import { startApiChannel } from './api-channel/start-api-channel.ts';
import { startVerificationWorker } from './start-verification-worker.ts';

export interface VerificationOptions {
  readonly config: Config;
  readonly store: Store;
  /** A result is on its way. */
  readonly wakeDelivery: () => void;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** What the verification role of a process starts: what time does to the queue, the sandbox, and the API channel. */
export function startVerification({ config, store, wakeDelivery, metrics, log }: VerificationOptions) {
  const { routes, names: payerNames } = config.payers;
  const worker = startVerificationWorker({ store, routes, wakeDelivery, log });
  const exchange = createExchange();
  const tools = { store, exchange, routes, payerNames, wakeDelivery, metrics, log };
  const channel = config.connections.length > 0 ? startApiChannel(tools, config.connections) : undefined;
  return {
    /** A request may be waiting for the API channel: claim now rather than at the next poll. */
    wake: () => channel?.wake(),
    stop: async (deadlineMs: number) => {
      await Promise.all([worker.stop(), channel?.stop(deadlineMs)]);
      await exchange.close();
    },
  };
}
