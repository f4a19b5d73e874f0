import type { AddressInfo } from 'node:net';
import { createSchemas } from '@insurance-verification/schema';
import {
  ensureDefaultAccount,
  listenForDueDeliveries,
  listenForHints,
  removeExpired,
} from '@insurance-verification/store';
import { createWebhookSecret, createWebhookSender } from '@insurance-verification/webhook';
import type { App } from './app.ts';
import { createAuthenticator } from './access/create-authenticator.ts';
import type { Config } from './config.ts';
import { createAttemptWriter } from './delivery/create-attempt-writer.ts';
import { startDeliveryWorker } from './delivery/start-delivery-worker.ts';
import { createIdempotencyGate } from './intake/create-idempotency-gate.ts';
import { createRequestInserter } from './intake/create-request-inserter.ts';
import { openLocalSecrets } from './local-secrets.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { openDatabase } from './open-database.ts';
import { openApiText } from './openapi.ts';
import { createRouter } from './router.ts';
import { createExchange } from './verification/api-channel/create-exchange.ts';
import { startApiChannel } from './verification/api-channel/start-api-channel.ts';
import { createWaitingRoom } from './verification/create-waiting-room.ts';
import { createWorkAnnouncer } from './verification/create-work-announcer.ts';
import { startVerificationWorker } from './verification/start-verification-worker.ts';
import { createHttpServer } from './server.ts';

/** A running process of the service. */
export interface Service {
  /** `http://host:port`, without the http role for probes and metrics alone; undefined when nothing is served. */
  readonly url: string | undefined;
  /** The first key, when this start made it. It is shown once. */
  readonly madeApiKey: string | null;
  /** The first key as kept in `DATA_DIR`; undefined when it is not kept there. */
  readonly keptApiKeyPath: string | undefined;
  /** Drains: not ready, no new connections, no new claims; what is under way ends within the deadline. */
  stop(): Promise<void>;
}

/** Milliseconds for which what is under way may still take. */
export const DRAIN_MS = 21_000;

const HOUSEKEEPING_MS = 3_600_000;

/** Starts the roles of one process on the configured database. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const secrets = openLocalSecrets(config.dataDir);
  const database = await openDatabase(config, secrets, log);
  const { store } = database;
  try {
    const madeApiKey = await ensureDefaultAccount(store, {
      apiKey: config.bootstrapApiKey,
      webhookSecret: config.bootstrapWebhookSecret,
      createWebhookSecret,
    });
    if (madeApiKey !== null) secrets.keep('api-key', madeApiKey);
    const metrics = createMetrics();
    const delivery = config.roles.includes('delivery') ? startDelivery() : undefined;
    const waitingRoom = createWaitingRoom();
    const workListener = listenForHints(database.directUrl, { work_due: () => hintHere() });
    const verification = config.roles.includes('verification') ? startVerification() : undefined;
    const hintHere = () => {
      waitingRoom.hint();
      verification?.wake();
    };
    const housekeeping = setInterval(() => {
      removeExpired(store).catch((err: unknown) =>
        log.warn({ err }, 'housekeeping failed; the next hour tries again'),
      );
    }, HOUSEKEEPING_MS);
    let ready = true;
    const http = config.port === undefined ? undefined : await startHttp(config.port).catch(endFailed);

    const stop = async () => {
      ready = false;
      await Promise.all([http?.stop(), endRoles()]);
      await database.close();
    };
    const keptApiKeyPath = secrets.read('api-key') === undefined ? undefined : secrets.pathOf('api-key');
    return { url: http?.url, madeApiKey, keptApiKeyPath, stop };

    async function endFailed(err: unknown): Promise<never> {
      await endRoles();
      throw err;
    }

    async function endRoles() {
      clearInterval(housekeeping);
      waitingRoom.close();
      // Side by side: one after the other they could take twice the time that a drain has.
      await Promise.all([workListener.close(), verification?.stop(), delivery?.stop()]);
    }

    function startVerification() {
      const { routes } = config.payers;
      const wakeDelivery = () => delivery?.wake();
      const worker = startVerificationWorker({ store, routes, wakeDelivery, log });
      const exchange = createExchange();
      const { connections } = config;
      const payerNames = config.payers.names;
      const tools = { store, exchange, routes, payerNames, wakeDelivery, metrics, log };
      const channel = connections.length > 0 ? startApiChannel(tools, connections) : undefined;
      const stopVerification = async () => {
        await Promise.all([worker.stop(), channel?.stop(DRAIN_MS)]);
        await exchange.close();
      };
      return { wake: () => channel?.wake(), stop: stopVerification };
    }

    function startDelivery() {
      const { allowCidrs, egressProxyUrl, production, retrySchedule: schedule } = config;
      const sender = createWebhookSender({ allowCidrs, egressProxyUrl, httpsOnly: production });
      const writeAttempt = createAttemptWriter(store);
      const worker = startDeliveryWorker({ store, sender, writeAttempt, schedule, metrics, log });
      const listener = listenForDueDeliveries(store, database.directUrl, worker);
      const stopDelivery = async () => {
        await listener.close();
        await worker.stop(DRAIN_MS);
        await sender.close();
      };
      return { wake: worker.wake, stop: stopDelivery };
    }

    async function startHttp(wantedPort: number) {
      const announceWork = createWorkAnnouncer(store, log);
      const app: App = {
        store,
        config,
        authenticator: createAuthenticator(store),
        insertRequest: createRequestInserter(store),
        idempotencyGate: createIdempotencyGate(),
        wakeDelivery: () => delivery?.wake(),
        waitingRoom,
        hintWork: () => {
          hintHere();
          announceWork();
        },
        metrics,
        log,
      };
      const schemas = createSchemas({ payers: config.payers.names });
      const router = createRouter(schemas);
      const api = config.roles.includes('http')
        ? { router, openApiDocument: openApiText(router, schemas) }
        : null;
      const server = createHttpServer({ app, api, isReady: () => ready });
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(wantedPort, config.host, resolve);
      });
      const { address, family, port } = server.address() as AddressInfo;
      const stopHttp = () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeIdleConnections();
          setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
        });
      return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`, stop: stopHttp };
    }
  } catch (err) {
    await database.close();
    throw err;
  }
}
