import { listenForDueDeliveries, type Store } from '@insurance-verification/store';
import { createWebhookSender } from '@insurance-verification/webhook';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { createAttemptWriter } from './create-attempt-writer.ts';
import { startDeliveryWorker } from './start-delivery-worker.ts';

export interface DeliveryOptions {
  readonly config: Config;
  readonly store: Store;
  /** For LISTEN. */
  readonly directUrl: string;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** What the delivery role of a process starts: the worker, and what it sends and is woken through. */
export function startDelivery({ config, store, directUrl, metrics, log }: DeliveryOptions) {
  const { allowCidrs, egressProxyUrl, production, retrySchedule: schedule } = config;
  const sender = createWebhookSender({ allowCidrs, egressProxyUrl, httpsOnly: production });
  const writeAttempt = createAttemptWriter(store);
  const worker = startDeliveryWorker({ store, sender, writeAttempt, schedule, metrics, log });
  const listener = listenForDueDeliveries(store, directUrl, worker);
  return {
    wake: worker.wake,
    stop: async (deadlineMs: number) => {
      await listener.close();
      await worker.stop(deadlineMs);
      await sender.close();
    },
  };
}
