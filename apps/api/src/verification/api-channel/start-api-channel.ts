import {
  type ClaimedWork,
  claimWork,
  holdPayerSlots,
  releaseWork,
  type Route,
} from '@insurance-verification/store';
import type { PayerConnection } from '../../config/payer-connections.ts';
import { type Breaker, createBreaker } from '../../queue/create-breaker.ts';
import { InFlight, releaseOrLapse } from '../../queue/in-flight.ts';
import { startPolling } from '../../queue/start-polling.ts';
import { createFailureLog } from '../../telemetry/log.ts';
import { createControlNumbers, createExchangeKeeper } from './create-exchange.ts';
import {
  API_CHANNEL,
  type ApiChannelTools,
  passToNextChannel,
  type WorkingTools,
  workOverApi,
} from './work-over-api.ts';

/** The API channel of one process: works the `api` queue of the payers that it has a connection to, and holds the slot of. */
export interface ApiChannel {
  /** Signals possible work: claim now rather than at the next poll. */
  readonly wake: () => void;
  /** Stops claiming, lets inquiries under way end, and releases the rest. Resolves when no lease is held. */
  readonly stop: (deadlineMs: number) => Promise<void>;
}

/** Longer than the longest inquiry with its retries, so that no renewal is needed. */
const LEASE_SECONDS = 90;

/** An inquiry ends this long before its lease does. */
const MARGIN_MS = 5_000;

/** Requests leased by one claim. */
const REQUESTS_PER_CLAIM_MAX = 20;

/**
 * Minimum milliseconds from a claim of single requests to the next claim, unless it left something: under a stream of
 * requests each claim would find two or three, and costs the database 3 ms. It is negligible next to a payer's answer
 * time.
 */
const CALM_MS = 20;

/** Free inquiries that make a slot worth claiming for together with others. */
const ROOMY_COUNT = 5;

interface Slot {
  readonly connection: PayerConnection;
  readonly route: Route;
  readonly breaker: Breaker;
  inFlightCount: number;
}

/**
 * Starts the channel. Each payer has a slot with a cap and a breaker, and one process at a time has the slot:
 *
 * | breaker | what is claimed of the payer |
 * |---|---|
 * | closed | as many as the slot has room for |
 * | half-open | one, to see whether the payer is back |
 * | open, and the route continues | all; passed to the next channel without asking the payer |
 * | open, and this channel is the last | nothing: waiting is better than failing |
 */
export function startApiChannel(tools: ApiChannelTools, connections: readonly PayerConnection[]): ApiChannel {
  const slots = connections.flatMap((connection): Slot[] => {
    const route = tools.routes.find(({ payerId }) => payerId === connection.payerId);
    const isRouted = route?.channels.some(({ source }) => source === 'api');
    return route && isRouted ? [{ connection, route, breaker: createBreaker(), inFlightCount: 0 }] : [];
  });
  const working: WorkingTools = {
    ...tools,
    nextControlNumber: createControlNumbers(tools.store),
    keepExchange: createExchangeKeeper(tools.store),
  };
  const inFlight = new InFlight<ClaimedWork>();
  const held = holdPayerSlots({
    connectionString: tools.directUrl,
    payerIds: slots.map(({ route }) => route.payerId),
    isIdle: (payerId) => slots.every((slot) => slot.route.payerId !== payerId || slot.inFlightCount === 0),
    onTaken: () => polling.wake(),
  });
  let stopped = false;
  let hasLeasedSingles = false;
  let batchLeasedAt = Number.NEGATIVE_INFINITY;
  let batchTimer: NodeJS.Timeout | undefined;

  const readBatchLimit = () => {
    const { claimCount, claimMs } = tools.batchPace.now;
    return performance.now() - batchLeasedAt < claimMs ? 0 : claimCount;
  };
  /** A batch has a few places, and a claim takes a few of its requests: the next one waits for its own time. */
  const wakeForBatch = () => {
    batchTimer ??= setTimeout(() => {
      batchTimer = undefined;
      polling.wake();
    }, tools.batchPace.now.claimMs);
  };

  const begin = (slot: Slot, work: ClaimedWork, run: (signal: AbortSignal) => Promise<unknown>) => {
    slot.inFlightCount += 1;
    tools.metrics.inquiriesInFlight.set({ payer: work.payerId }, slot.inFlightCount);
    inFlight.begin(work.leaseToken, work, async (abort) => {
      const lapse = setTimeout(
        () => abort.abort(new Error('The lease ends.')),
        LEASE_SECONDS * 1_000 - MARGIN_MS,
      );
      try {
        await run(abort.signal);
      } catch (err) {
        // The lease lapses and the request is due again; the loop must survive any one request.
        if (abort.signal.aborted) return;
        if (tools.shortage.note(err)) await release(tools, work);
        else tools.log.error({ request_id: work.requestId, err }, 'asking over X12 failed');
      } finally {
        clearTimeout(lapse);
        // New work wakes the loop itself. Wake it here only for what waited for its end, or for the breaker: each
        // claim in vain costs the database 3 ms.
        if (work.isOfBatch) wakeForBatch();
        const isAwaited = freeCountOf(slot) === 0 || slot.breaker.passage(performance.now()) !== 'all';
        slot.inFlightCount -= 1;
        tools.metrics.inquiriesInFlight.set({ payer: work.payerId }, slot.inFlightCount);
        if (isAwaited) polling.wake();
      }
    });
  };

  const ask = (slot: Slot, work: ClaimedWork) =>
    begin(slot, work, async (signal) => {
      const isAnswered = await workOverApi(working, slot.connection, work, signal);
      slot.breaker.record(!isAnswered, performance.now());
    });
  const passToNext = (slot: Slot, work: ClaimedWork) =>
    begin(slot, work, () => passToNextChannel(tools, work));

  /** Claims for slots in one state; `limit` suits each of them, so no slot gets more than it has room for. */
  const claimFor = async (
    some: readonly Slot[],
    limit: number,
    run: (slot: Slot, work: ClaimedWork) => void,
  ) => {
    if (some.length === 0 || limit <= 0) return false;
    const { works, mayHaveMore } = await claim(tools, some, { limit, batchLimit: readBatchLimit() });
    for (const work of works) {
      const slot = some.find(({ connection }) => connection.payerId === work.payerId);
      if (stopped || !slot) await release(tools, work);
      else run(slot, work);
    }
    if (works.some(({ isOfBatch }) => isOfBatch)) {
      batchLeasedAt = performance.now();
      wakeForBatch();
    }
    hasLeasedSingles ||= works.some(({ isOfBatch }) => !isOfBatch);
    return mayHaveMore;
  };

  const claimAll = async (): Promise<boolean> => {
    if (tools.shortage.lasts()) return false;
    const now = performance.now();
    hasLeasedSingles = false;
    const inState = (state: ReturnType<Breaker['passage']>) =>
      slots.filter(({ breaker, connection, inFlightCount }) => {
        const room = (state === 'probe' ? 1 : connection.inFlightCountMax) - inFlightCount;
        return held.holds(connection.payerId) && breaker.passage(now) === state && room > 0;
      });
    const open = inState('all');
    const isRoomy = (slot: Slot) =>
      freeCountOf(slot) >= Math.min(ROOMY_COUNT, slot.connection.inFlightCountMax);
    const roomy = open.filter(isRoomy);
    const results = [
      await claimFor(roomy, Math.min(REQUESTS_PER_CLAIM_MAX, ...roomy.map(freeCountOf)), ask),
      await claimFor(inState('probe'), 1, ask),
      await claimFor(inState('none').filter(hasNextChannel), 1, passToNext),
    ];
    // A payer with few free inquiries must not shrink the claims of the others to its own size.
    for (const slot of open) if (!isRoomy(slot)) results.push(await claimFor([slot], freeCountOf(slot), ask));
    return results.includes(true);
  };

  const polling = startPolling({
    cycle: claimAll,
    pauseMs: () => (hasLeasedSingles ? CALM_MS : 0),
    onFailure: createFailureLog(tools.log, 'claim failed; the next poll tries again'),
  });

  return {
    wake: polling.wake,
    stop: async (deadlineMs) => {
      stopped = true;
      clearTimeout(batchTimer);
      await polling.stop();
      for (const work of await inFlight.drain(deadlineMs)) await release(tools, work);
      await held.close();
    },
  };
}

/** How many more inquiries the payer takes. */
function freeCountOf({ connection, inFlightCount }: Slot): number {
  return connection.inFlightCountMax - inFlightCount;
}

function hasNextChannel({ route }: Slot): boolean {
  return route.channels.at(-1)?.source !== 'api';
}

function claim(
  { store }: ApiChannelTools,
  slots: readonly Slot[],
  limits: { readonly limit: number; readonly batchLimit: number | null },
) {
  return claimWork(store, {
    caller: API_CHANNEL,
    routes: slots.map(({ route }) => route),
    channels: ['api'],
    leaseSeconds: LEASE_SECONDS,
    ...limits,
  });
}

function release({ store, log }: ApiChannelTools, work: ClaimedWork): Promise<void> {
  return releaseOrLapse(log, () => releaseWork(store, { ...work, caller: API_CHANNEL }));
}
