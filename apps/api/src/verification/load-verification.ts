import type { LocalWorker, Store } from '@insurance-verification/store';
import type { Config } from '../config/config.ts';
import type { Hints } from '../procedure/context/app.ts';
import type { BatchPace } from '../queue/batch-pace.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Shortage } from '../telemetry/shortage.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { startVerificationWorker } from './start-verification-worker.ts';
import { startWorkAnnouncer } from './start-work-announcer.ts';

interface VerificationOptions {
  readonly config: Config;
  readonly store: Store;
  readonly directUrl: string;
  readonly localWorker: LocalWorker | undefined;
  /** Announces that a result is on its way. */
  readonly wakeDelivery: () => void;
  readonly hints: Hints;
  readonly batchPace: BatchPace;
  readonly shortage: Shortage;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly log: Log;
}

/**
 * Loads a process's verification role and returns the function that starts it: the queue's time-based work, the sandbox,
 * the API channel, and what announces work to agents. Two steps, since loading may fail, and should fail before anything runs that would have to be
 * stopped.
 */
export async function loadVerification({ connections }: Config) {
  const openApiChannel = connections.length > 0 ? await loadApiChannel() : undefined;
  return (options: VerificationOptions) => {
    const { config, store, wakeDelivery, hints, batchPace, tracing, log } = options;
    const { routes } = config.payers;
    const worker = startVerificationWorker({
      store,
      routes,
      wakeDelivery,
      hints,
      batchPace,
      tracing,
      log,
    });
    const channel = openApiChannel?.(options);
    const announcer = startWorkAnnouncer(options);
    return {
      /** Signals possible work: claim it, and announce it, now rather than at the next poll. */
      wake: () => {
        channel?.wake();
        announcer.wake();
      },
      stop: (deadlineMs: number) => Promise.all([worker.stop(), announcer.stop(), channel?.stop(deadlineMs)]),
    };
  };
}

/** Loaded only if a payer has a connection: only its HTTP client takes 17 MB. */
async function loadApiChannel() {
  const { createExchange } = await import('./api-channel/create-exchange.ts');
  const { startApiChannel } = await import('./api-channel/start-api-channel.ts');
  return ({ config, ...tools }: VerificationOptions) => {
    const { routes, names: payerNames } = config.payers;
    const exchange = createExchange();
    const channel = startApiChannel({ ...tools, exchange, routes, payerNames }, config.connections);
    return {
      wake: channel.wake,
      stop: async (deadlineMs: number) => {
        await channel.stop(deadlineMs);
        await exchange.close();
      },
    };
  };
}
