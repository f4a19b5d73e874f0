import { createHash, timingSafeEqual } from 'node:crypto';
import { measureDeliveryQueue, type SealKey, type Store } from '@insurance-verification/store';
import Router from '@koa/router';
import { Gauge } from 'prom-client';
import { createKeyGauge } from '../../access/keys.ts';
import { createSealGauge } from '../../audit/create-seal-gauge.ts';
import type { Config } from '../../config/config.ts';
import { createEndpointGauges } from '../../delivery/endpoints.ts';
import { isOfForeignPage } from '../../network/own-pages.ts';
import { createHeldGauges } from '../../output/create-held-gauges.ts';
import type { CallState } from '../../procedure/context/app.ts';
import { ProblemError } from '../../procedure/problem.ts';
import { createErasureGauge } from '../../retention/start-erasure.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { patientMeasure } from '../../telemetry/patient-measure.ts';
import { createSnapshotGauge } from '../../telemetry/sealing-status.ts';
import { createWorkGauges } from '../../verification/work-stats.ts';

interface MetricsRouterOptions {
  readonly config: Config;
  readonly store: Store;
  readonly metrics: Metrics;
  readonly sealKey: SealKey | undefined;
}

/**
 * `/metrics` for Prometheus, protected by the token if there is one. A process has one such router: its gauges are in the
 * process's registry.
 */
export function createMetricsRouter({
  config,
  store,
  metrics,
  sealKey,
}: MetricsRouterOptions): Router<CallState> {
  const router = new Router<CallState>({ strict: true, sensitive: true });
  const { database: registry } = metrics;
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
  const measureQueue = patientMeasure(() => measureDeliveryQueue(store));
  const setEndpointGauges = createEndpointGauges(store, registry);
  const setHeldGauges = createHeldGauges(store, registry);
  const setWorkGauges = createWorkGauges(store, config.payers, registry);
  const setKeyGauge = createKeyGauge(store, registry);
  const setErasureGauge = createErasureGauge(store, registry);
  const setSnapshotGauge = createSnapshotGauge(store, registry);
  const setSealGauge = sealKey ? createSealGauge(store, registry) : undefined;
  const mayRead = createTokenCheck(config.metricsToken);

  router.get('/metrics', async (koa) => {
    koa.state.operation = 'metrics';
    if (!mayRead(koa.get('authorization'))) {
      koa.status = 401;
      koa.set('www-authenticate', 'Bearer realm="metrics"');
      koa.body = 'The header Authorization must hold the metrics token: Bearer <token>.\n';
      return;
    }
    // A page cannot read it without the token.
    if (config.metricsToken === undefined && isOfForeignPage(koa.req.headers, config))
      throw new ProblemError('cross_site');
    const queue = await measureQueue();
    if (queue) {
      depth.set(queue.pendingCount);
      age.set(queue.oldestDueSeconds);
    } else {
      depth.remove();
      age.remove();
    }
    await setEndpointGauges();
    await setHeldGauges();
    await setWorkGauges();
    await setKeyGauge();
    await setErasureGauge();
    await setSnapshotGauge();
    await setSealGauge?.();
    koa.type = registry.contentType;
    koa.body = `${await metrics.registry.metrics()}\n${await registry.metrics()}`;
  });
  return router;
}

/** Whether a header holds the token. Compares digests in constant time, so that not even the token's length leaks. */
function createTokenCheck(token: string | undefined): (authorization: string) => boolean {
  if (token === undefined) return () => true;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const right = digest(token);
  return (authorization) => {
    const given = /^Bearer +([!-~]+)$/i.exec(authorization)?.[1];
    return given !== undefined && timingSafeEqual(digest(given), right);
  };
}
