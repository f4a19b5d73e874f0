import {
  type ClaimedWork,
  claimWork,
  downtimeAt,
  holdPayerSlots,
  noteAnswered,
  noteAttendance,
  noteUnanswered,
  releaseWork,
  returnOneToProbe,
  type Route,
  takeProbes,
} from '@insurance-verification/store';
import type { PayerConnection } from '../../config/payer-connections.ts';
import { InFlight, releaseOrLapse, untilWritten } from '../../queue/in-flight.ts';
import { startPolling } from '../../queue/start-polling.ts';
import { createFailureLog } from '../../telemetry/log.ts';
import { createCodeAnswers } from './code-answers.ts';
import { createControlNumbers, createExchangeKeeper } from './create-exchange.ts';
import { PayerHealth, type Shown } from './payer-health.ts';
import { API_CHANNEL, type ApiChannelTools, type WorkingTools, workOverApi } from './work-over-api.ts';

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

/** Milliseconds between two records that a channel which waits for its payer is attended. */
const ATTENDANCE_MS = 60_000;

interface Slot {
  readonly connection: PayerConnection;
  readonly route: Route;
  readonly health: PayerHealth;
  inFlightCount: number;
  /**
   * `down`: the payer does not answer; `unread`: this process has just got the slot. The judgement is a row that all
   * processes read.
   */
  state: 'up' | 'down' | 'unread';
  /** A probe is due, and nothing was there to claim for it yet. */
  owesProbe: boolean;
}

/**
 * Starts the channel. Each payer has a slot with places, and one process at a time has the slot:
 *
 * | the payer | what is claimed of it |
 * |---|---|
 * | answers | as many as there are places free; fewer places after failures |
 * | does not answer | one request for each probe, the oldest that waits; it goes back if that fails |
 * | has announced that it does not answer now | nothing |
 *
 * What waits for a payer leaves the channel by `advanceWork`, when its time to wait is over.
 */
export function startApiChannel(tools: ApiChannelTools, connections: readonly PayerConnection[]): ApiChannel {
  const slots = connections.flatMap((connection): Slot[] => {
    const route = tools.routes.find(({ payerId }) => payerId === connection.payerId);
    const isRouted = route?.channels.some(({ source }) => source === 'api');
    if (!route || !isRouted) return [];
    const health = new PayerHealth(connection.inFlightCountMax);
    return [{ connection, route, health, inFlightCount: 0, state: 'unread', owesProbe: false }];
  });
  const working: WorkingTools = {
    ...tools,
    nextControlNumber: createControlNumbers(tools.store),
    keepExchange: createExchangeKeeper(tools.store),
    codeAnswers: createCodeAnswers(tools.store),
  };
  const inFlight = new InFlight<ClaimedWork>();
  const slotsHeld = holdPayerSlots({
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
        // New work wakes the loop itself. Wake it here only for what waited for its end: each claim in vain costs the
        // database 3 ms.
        if (work.isOfBatch) wakeForBatch();
        const isAwaited = freeCountOf(slot) <= 0 || slot.health.placeCount < slot.connection.inFlightCountMax;
        slot.inFlightCount -= 1;
        tools.metrics.inquiriesInFlight.set({ payer: work.payerId }, slot.inFlightCount);
        if (isAwaited) polling.wake();
      }
    });
  };

  /** Notes what an exchange showed, and judges the payer by it. @returns whether it failed by this request. */
  const note = async (slot: Slot, work: ClaimedWork, shown: Shown, signal: AbortSignal): Promise<boolean> => {
    const { health, route } = slot;
    const { payerId } = route;
    const nowMs = performance.now();
    const isFaultOfRequest = health.note(shown, work.requestId, nowMs);
    if (shown.kind === 'answered' && slot.state === 'down') {
      slot.state = 'up';
      const returnedCount = await untilWritten(signal, () => noteAnswered(tools.store, route));
      tools.log.warn({ payer: payerId, returned_count: returnedCount }, 'the payer answers again');
    }
    if (shown.kind !== 'unanswered' || (slot.state !== 'down' && !health.isDown(nowMs)))
      return isFaultOfRequest;
    const isKnown = slot.state === 'down';
    slot.state = 'down';
    const { count = 1, seconds: sinceSeconds = 0 } = health.failuresAt(nowMs) ?? {};
    const failureCount = isKnown ? 1 : count;
    await untilWritten(signal, () => noteUnanswered(tools.store, { payerId, sinceSeconds, failureCount }));
    if (!isKnown) tools.log.warn({ payer: payerId, failure_count: count }, 'the payer does not answer');
    return false;
  };

  const askAs = (isProbe: boolean) => (slot: Slot, work: ClaimedWork) =>
    begin(slot, work, (signal) =>
      workOverApi(
        working,
        work,
        {
          connection: slot.connection,
          note: (shown) => note(slot, work, shown, signal),
          isProbe,
        },
        signal,
      ),
    );
  const [ask, probe] = [askAs(false), askAs(true)];

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

  /** Reads which payers do not answer, where this process cannot know it, and which are to be probed now. */
  const readStates = async (held: readonly Slot[]): Promise<void> => {
    const unknown = held.filter(({ state }) => state !== 'up' || slotsHeld.areShared());
    if (unknown.length === 0) return;
    const outages = await takeProbes(
      tools.store,
      unknown.map(({ route }) => route.payerId),
    );
    for (const slot of unknown) {
      const outage = outages.find(({ payerId }) => payerId === slot.route.payerId);
      slot.state = outage ? 'down' : 'up';
      slot.owesProbe = outage !== undefined && (slot.owesProbe || outage.mayProbe);
    }
  };

  /** One request asks whether the payer answers again: the oldest that waits, else one that left for its outage. */
  const claimProbe = async (slot: Slot): Promise<void> => {
    const before = slot.inFlightCount;
    await claimFor([slot], 1, probe);
    if (slot.inFlightCount === before && (await returnOneToProbe(tools.store, slot.route)) > 0)
      await claimFor([slot], 1, probe);
    slot.owesProbe = slot.inFlightCount === before;
  };

  let attendedAt = Number.NEGATIVE_INFINITY;
  /** A channel that waits for its payer is attended, though it claims nothing. */
  const attend = async (waiting: readonly Slot[]) => {
    const nowMs = performance.now();
    if (waiting.length === 0 || nowMs - attendedAt < ATTENDANCE_MS) return;
    attendedAt = nowMs;
    await noteAttendance(
      tools.store,
      waiting.map(({ route }) => route),
      new Set(['api']),
    );
  };

  const claimAll = async (): Promise<boolean> => {
    if (tools.shortage.lasts()) return false;
    hasLeasedSingles = false;
    const now = new Date();
    for (const slot of slots) if (!slotsHeld.holds(slot.route.payerId)) slot.state = 'unread';
    const held = slots.filter(({ route }) => slotsHeld.holds(route.payerId));
    const announced = held.filter(({ route }) => downtimeAt(route, now) !== undefined);
    const asked = held.filter((slot) => !announced.includes(slot));
    await readStates(asked);
    const open = asked.filter((slot) => slot.state === 'up' && freeCountOf(slot) > 0);
    await attend([...announced, ...asked.filter(({ state }) => state === 'down')]);
    const isRoomy = (slot: Slot) =>
      freeCountOf(slot) >= Math.min(ROOMY_COUNT, slot.connection.inFlightCountMax);
    const roomy = open.filter(isRoomy);
    const results = [await claimFor(roomy, Math.min(REQUESTS_PER_CLAIM_MAX, ...roomy.map(freeCountOf)), ask)];
    for (const slot of asked.filter(({ owesProbe }) => owesProbe)) await claimProbe(slot);
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
      await slotsHeld.close();
    },
  };
}

/** How many more inquiries the payer takes. */
function freeCountOf({ health, inFlightCount }: Slot): number {
  return health.placeCount - inFlightCount;
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
