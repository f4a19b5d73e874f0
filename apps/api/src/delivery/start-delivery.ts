import type { Store } from '@insurance-verification/store';
import { createWebhookSender } from '@insurance-verification/webhook';
import type { Config } from '../config/config.ts';
import type { Hints } from '../procedure/context/app.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Shortage } from '../telemetry/shortage.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { createAttemptWriter } from './worker/record-attempt.ts';
import { startDeliveryWorker } from './worker/start-delivery-worker.ts';

export interface DeliveryOptions {
  readonly config: Config;
  readonly store: Store;
  readonly hints: Hints;
  readonly shortage: Shortage;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly log: Log;
}

/** Starts a process's delivery role: the worker, and what it sends and writes with. */
export async function startDelivery(options: DeliveryOptions) {
  const { config, store, hints, shortage, metrics, tracing, log } = options;
  const { allowCidrs, egressProxyUrl, production, retrySchedule: schedule } = config;
  const sender = createWebhookSender({ allowCidrs, egressProxyUrl, httpsOnly: production });
  await sender.open(); // the first attempt may come when no descriptor is left
  const writeAttempt = createAttemptWriter(store);
  const worker = startDeliveryWorker({
    store,
    sender,
    writeAttempt,
    schedule,
    hints,
    shortage,
    metrics,
    tracing,
    log,
  });
  return {
    wake: worker.wake,
    reserve: worker.reserve,
    probe: worker.probe,
    regroup: worker.regroup,
    stop: async (deadlineMs: number) => {
      await worker.stop(deadlineMs);
      await sender.close();
    },
  };
}
