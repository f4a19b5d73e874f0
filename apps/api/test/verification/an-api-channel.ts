import { startSimulator } from '@insurance-verification/payer-simulator';
import {
  type Caller,
  getResult,
  insertRequests,
  listAttempts,
  type Route,
  type Store,
} from '@insurance-verification/store';
import { until } from '@insurance-verification/testing/until';
import { onTestFinished } from 'vitest';
import type { PayerConnection } from '../../src/config/payer-connections.ts';
import { BatchPace } from '../../src/queue/batch-pace.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createShortage } from '../../src/telemetry/shortage.ts';
import type { Step } from '../../src/telemetry/tracing.ts';
import { createExchange } from '../../src/verification/api-channel/create-exchange.ts';
import { type ApiChannel, startApiChannel } from '../../src/verification/api-channel/start-api-channel.ts';
import { aPayerConnection, aRequestFor } from './a-connection.ts';
import { aLiveAccount } from './a-live-account.ts';

const PAYER_ID = 'plan-1';

export function aRoute(...sources: Route['channels'][number]['source'][]): Route {
  return {
    payerId: PAYER_ID,
    channels: sources.map((source) => ({
      source,
      attemptCountMax: 3,
      secondsMax: 3_600,
      ...(source === 'api' && { keepTryingSeconds: null }),
    })),
    skipsUnattended: false,
    holdsAgentResults: false,
    phoneHours: null,
    inFlightCountMax: null,
  };
}

/** The route of a payer that is asked once about each request. */
export function once(route: Route): Route {
  return { ...route, channels: route.channels.map((channel) => ({ ...channel, attemptCountMax: 1 })) };
}

interface Setting {
  readonly route?: Route;
  readonly connection?: Partial<PayerConnection>;
  /** Payers with the same route and connection. */
  readonly payerIds?: readonly string[];
  readonly cutMs?: number;
  /** By default a new one. */
  readonly database?: { readonly connectionString: string };
  /** Where the payer is asked; by default a simulator's. */
  readonly url?: string;
}

/** For a payer that never answers: of one that does, a busy machine may take longer. */
export const SHORT = { cutMs: 500 };

/** A channel with its own database and simulator. */
export async function aChannel({
  route = aRoute('api', 'manual_phone_call'),
  connection = {},
  payerIds = [PAYER_ID],
  cutMs = 20_000,
  database,
  url,
}: Setting = {}) {
  const { store, connectionString, caller } = await aLiveAccount(database);
  const simulator = await startSimulator();
  const exchange = createExchange({ cutMs });
  const logLines: string[] = [];
  const metrics = createMetrics({ lostCount: () => 0 });
  const steps: Step[] = [];
  const log = createLog('trace', { write: (line) => void logLines.push(line) });
  const shortage = createShortage(metrics.registry, log);
  const start = () =>
    startApiChannel(
      {
        store,
        directUrl: connectionString,
        exchange,
        routes: payerIds.map((payerId) => ({ ...route, payerId })),
        payerNames: ['Payer Plan 1'],
        wakeDelivery: () => {},
        hints: { publish: () => {} },
        batchPace: new BatchPace(),
        shortage,
        retryDelaysMs: [1, 1],
        metrics,
        tracing: { step: (step) => void steps.push(step), stop: async () => {} },
        log,
      },
      payerIds.map((payerId) => aPayerConnection(url ?? simulator.url, { payerId, ...connection })),
    );
  const running: ApiChannel[] = [start()];
  onTestFinished(async () => {
    for (const channel of running) await channel.stop(0);
    await exchange.close();
    await simulator.stop();
  });
  const request = async (
    memberId: string,
    serviceDate: string | null = null,
    neededBy: Date | null = null,
  ) => {
    const [inserted] = await insertRequests(
      store,
      [
        {
          caller,
          payerId: PAYER_ID,
          input: aRequestFor(memberId),
          idempotencyKey: null,
          serviceDate,
          neededBy,
        },
      ],
      { routes: [route] },
    );
    if (inserted?.kind !== 'created') throw new Error('It was not stored.');
    running.at(-1)?.wake();
    return inserted.request.request_id ?? '';
  };
  return {
    store,
    caller,
    simulator,
    logLines,
    metrics,
    steps,
    request,
    connectionString,
    restart: () => running.push(start()),
    wake: () => running.at(-1)?.wake(),
    route,
    stop: (deadlineMs = 5_000) => running.at(-1)?.stop(deadlineMs),
    /** The request's attempts, once none is in progress. */
    attempts: (requestId: string) => attemptsOf(store, caller, requestId),
    result: async (requestId: string) => {
      const found = await getResult(store, { caller, requestId });
      return found.kind === 'found' ? found.result : found.kind;
    },
  };
}

async function attemptsOf(store: Store, caller: Caller, requestId: string) {
  return until('no attempt is under way', async () => {
    const listed = await listAttempts(store, { caller, requestId, withInternals: true });
    const attempts = listed.kind === 'found' ? listed.attempts : [];
    const isOver = attempts.length > 0 && attempts.every(({ outcome }) => outcome !== 'working');
    return isOver
      ? attempts.map((attempt) => ({
          channel: attempt.channel,
          outcome: attempt.outcome,
          errorReason: attempt.error_reason,
        }))
      : null;
  });
}

export const succeeded = { channel: 'api', outcome: 'succeeded', errorReason: null };
export const failed = (errorReason: string) => ({ channel: 'api', outcome: 'failed', errorReason });
