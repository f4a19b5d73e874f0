import { setTimeout as pause } from 'node:timers/promises';
import { createSchemas } from '@insurance-verification/schema';
import { listen, notifyConsoles, takeRateBudget, wakeWhenDue } from '@insurance-verification/store';
import { createUrlCheck } from '@insurance-verification/webhook';
import { createAuthenticator } from '../access/create-authenticator.ts';
import { createBodyMemory } from '../body/body-memory.ts';
import type { Config } from '../config/config.ts';
import { createRefusalRecord } from '../console/admit-anonymous.ts';
import { createEventStreams } from '../console/events/event-streams.ts';
import { createHints } from '../console/events/hints.ts';
import { providerAnswers } from '../console/provider/sign-in-at-provider.ts';
import { createConsoleSite } from '../console/site.ts';
import { startDelivery } from '../delivery/start-delivery.ts';
import { INSTANCE } from '../http/probes/announce-address.ts';
import { startHttp } from '../http/start-http.ts';
import { createIdempotencyGate, createRequestInserter } from '../intake/create-request.ts';
import { createBudgets } from '../limits/budgets.ts';
import { createLimiter } from '../limits/limiter.ts';
import { readNetworks } from '../network/client-address.ts';
import { BatchPace } from '../queue/batch-pace.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createSealingStatus } from '../telemetry/sealing-status.ts';
import { createShortage } from '../telemetry/shortage.ts';
import { loadTracing } from '../telemetry/tracing.ts';
import { loadVerification } from '../verification/load-verification.ts';
import { createLongPolls, createWorkNotifier } from '../verification/long-polls.ts';
import type { OpenDatabase } from './database/open-database.ts';
import { startJobs } from './start-jobs.ts';

/** Milliseconds that whatever is under way may still take. */
export const DRAIN_MS = 21_000;

/** Milliseconds from the first 503 of `/readyz` to the end of the port: a proxy that asks sends nothing more by then. */
const NOTICE_MS = 3_000;

/**
 * Milliseconds that a proxy's idle connection stays after that: a proxy that does not ask may be calling on it. With all
 * closed at once, two restarts under four clients cost three calls behind nginx and two behind HAProxy.
 */
const LINGER_MS = 2_000;

/** What a process does. */
export interface Roles {
  /** `http://host:port`; undefined when nothing is served. */
  readonly url: string | undefined;
  readonly metricsUrl: string | undefined;
  readonly openConsole: () => Promise<void>;
  readonly stop: (isBehindProxy: boolean) => Promise<void>;
}

/** Starts this process's roles and wires them together. */
export async function startRoles(
  config: Config,
  database: OpenDatabase,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): Promise<Roles> {
  const { store, directUrl, sealKey } = database;
  const startVerification = config.roles.includes('verification')
    ? await loadVerification(config)
    : undefined;
  const tracing = await loadTracing(config, log);
  const shortage = createShortage(metrics.registry, log);
  const events = createEventStreams(store, log);
  const hints = createHints({
    name: store.notifier,
    notifyOthers: (payload) => notifyConsoles(store, payload),
    send: events.send,
  });
  const delivery = config.roles.includes('delivery')
    ? await startDelivery({ config, store, hints, shortage, metrics, tracing, log })
    : undefined;
  const batchPace = new BatchPace();
  const wakeDelivery = () => delivery?.wake();
  const verification = startVerification?.({
    config,
    store,
    directUrl,
    localWorker: delivery,
    wakeDelivery,
    hints,
    batchPace,
    shortage,
    metrics,
    tracing,
    log,
  });
  const longPolls = createLongPolls();
  const wakeVerificationHere = () => {
    longPolls.wake();
    verification?.wake();
  };
  const wakes = {
    ...(delivery && { delivery_due: wakeWhenDue(store, delivery) }),
    work_due: wakeVerificationHere,
    console_hint: hints.hear,
  };
  const notifications = listen(directUrl, wakes, () =>
    log.warn(
      'a pooler carries no notifications: work of other processes is found a second later; see DATABASE_DIRECT_URL',
    ),
  );
  const sealing = createSealingStatus(metrics.sealingStopped);
  const jobs = startJobs({ config, database, metrics, sealing, log });

  // In parallel: one after the other, they could take twice the time of a drain.
  const endWork = () =>
    Promise.all([jobs.stop(DRAIN_MS), verification?.stop(DRAIN_MS), delivery?.stop(DRAIN_MS)]);

  let state: 'ready' | 'leaving' | 'closed' = 'ready';
  const isReady = () => state === 'ready';
  const isOpen = () => state !== 'closed';
  const notifyWork = createWorkNotifier(store, log);
  const wakeVerification = () => {
    wakeVerificationHere();
    notifyWork();
  };
  const app = {
    store,
    sealKey,
    sealing,
    schemas: createSchemas({ payers: config.payers.names }),
    recordRefusal: createRefusalRecord(store, log),
    config,
    instance: INSTANCE,
    ownAddress: () => started.main?.url,
    authenticator: createAuthenticator(store),
    limiter: createLimiter(
      config,
      createBudgets({ share: (request) => takeRateBudget(store, request), log }),
    ),
    canSignInAgain: async () => !config.provider || (await providerAnswers(config.provider)),
    bodyMemory: createBodyMemory(config),
    trustedProxies: readNetworks(config.trustedProxies),
    checkCallback: createUrlCheck({ allowCidrs: config.allowCidrs, httpsOnly: config.production }),
    insertRequest: createRequestInserter(store, config.payers.routes),
    localWorker: delivery,
    idempotencyGate: createIdempotencyGate(),
    batchPace,
    wakeDelivery,
    longPolls,
    wakeVerification,
    hints,
    events,
    shortage,
    metrics,
    tracing,
    log,
  };
  const consoleSite = createConsoleSite(config, log);
  const listeners = { main: config.port, metrics: config.metricsPort };
  const started: { [Listener in keyof typeof listeners]?: Awaited<ReturnType<typeof startHttp>> } = {};
  const endCalls = async (isBehindProxy: boolean) => {
    state = 'leaving';
    if (isBehindProxy) await pause(NOTICE_MS);
    state = 'closed';
    longPolls.close();
    events.close();
    hints.close();
    const [deadlineMs, lingerMs] = isBehindProxy ? [DRAIN_MS - NOTICE_MS, LINGER_MS] : [DRAIN_MS, 0];
    await Promise.all([
      ...Object.values(started).map((listener) => listener.stop(deadlineMs, lingerMs)), // each closes its port at once
      notifications.close(),
    ]);
  };
  try {
    for (const listener of ['main', 'metrics'] as const) {
      const port = listeners[listener];
      if (port !== undefined)
        started[listener] = await startHttp({ app, consoleSite, listener, port, isReady, isOpen });
    }
  } catch (err) {
    await Promise.all([endCalls(false), endWork()]);
    await tracing?.stop();
    throw err;
  }

  return {
    url: started.main?.url,
    metricsUrl: started.metrics?.url,
    openConsole: async () => {
      if (!config.roles.includes('http')) return;
      if (!config.hasConsole)
        log.info(
          'the console is off: people sign in with SIGN_IN=passkeys or OIDC_ISSUER, or on this machine',
        );
      await consoleSite.open(); // the guides are built with it
    },
    stop: async (isBehindProxy) => {
      await Promise.all([endCalls(isBehindProxy), endWork(), consoleSite.close()]);
      await jobs.sealRest(); // nothing writes a line any more
      await tracing?.stop(); // the spans it exports include the last attempts
    },
  };
}
