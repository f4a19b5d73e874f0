import Router from '@koa/router';
import {
  checkDatabase,
  type DeliveryQueue,
  isDatabaseUnavailable,
  measureDeliveryQueue,
  type Store,
} from '@insurance-verification/store';
import { Gauge } from 'prom-client';
import { createKeyGauge } from './access/create-key-gauge.ts';
import { ProblemError } from './problem.ts';
import type { RestState } from './rest.ts';
import type { Metrics } from './metrics.ts';
import type { Config } from './config.ts';
import { createHeldGauges } from './output/create-held-gauges.ts';
import { createWorkGauges } from './verification/create-work-gauges.ts';

export interface ProbesOptions {
  readonly config: Config;
  readonly store: Store;
  readonly metrics: Metrics;
  /** False while the process drains: `/readyz` then answers 503. */
  readonly isReady: () => boolean;
}

/** What a platform asks a process: is it alive, may it get traffic, what does it measure. */
export function createProbesRouter({ config, store, metrics, isReady }: ProbesOptions): Router<RestState> {
  const router = new Router<RestState>({ strict: true, sensitive: true });
  const { registry } = metrics;
  const depth = new Gauge({
    name: 'ivs_deliveries_pending',
    help: 'Deliveries not finished.',
    registers: [registry],
  });
  const age = new Gauge({
    name: 'ivs_delivery_oldest_due_seconds',
    help: 'How long the longest due delivery has waited.',
    registers: [registry],
  });

  const setHeldGauges = createHeldGauges(store, registry);
  const setWorkGauges = createWorkGauges(store, config.payers, registry);
  const setKeyGauge = createKeyGauge(store, registry);

  router.get('/livez', (koa) => {
    koa.state.operation = 'livez';
    koa.body = { status: 'alive' };
  });
  router.get('/readyz', async (koa) => {
    koa.state.operation = 'readyz';
    if (!isReady()) throw new ProblemError('unavailable');
    await checkDatabase(store);
    koa.body = { status: 'ready' };
  });
  router.get('/metrics', async (koa) => {
    koa.state.operation = 'metrics';
    const queue = await measureOrNull(store);
    if (queue) {
      depth.set(queue.pendingCount);
      age.set(queue.oldestDueSeconds);
    } else {
      depth.remove();
      age.remove();
    }
    await setHeldGauges();
    await setWorkGauges();
    await setKeyGauge();
    koa.type = registry.contentType;
    koa.body = await registry.metrics();
  });
  return router;
}

/** Null while the database is away: the process's own numbers are wanted most then, so they come without the queue's. */
async function measureOrNull(store: Store): Promise<DeliveryQueue | null> {
  try {
    return await measureDeliveryQueue(store);
  } catch (err) {
    if (!isDatabaseUnavailable(err)) throw err;
    return null;
  }
}
