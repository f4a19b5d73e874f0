import { ACCOUNT_COUNT_MAX, type FreeSlots, isLaneOfBatches, type Lane } from '@insurance-verification/store';
import { type Breaker, createBreaker } from '../../queue/create-breaker.ts';

/** The outcome of an attempt, as far as it concerns its host. */
export interface HostAnswer {
  readonly verdict: 'delivered' | 'failed' | 'neither';
  readonly durationMs: number;
}

/**
 * Limits the concurrent attempts per host, which only this process calls, and its part of those per account; says how
 * many more each would take.
 */
export interface Lanes {
  /** Takes a slot for a delivery; false when its host or its account has none free. */
  readonly enter: (lane: Lane) => boolean;
  /** Gives the slot back. True when the lane was full, so that rows may be waiting for it. */
  readonly leave: (lane: Lane, answer: HostAnswer) => boolean;
  /** The free slots, which limit a claim. */
  readonly freeSlots: () => FreeSlots;
  /** Somebody reports that the host is back: try it, whatever its breaker remembers. */
  readonly probe: (hostKey: string) => void;
  readonly openBreakerCount: () => number;
  /** The most attempts under way for one account. */
  readonly busiestAccount: () => number;
}

/** Concurrent attempts per host and port: a hung receiver holds these, and no other receiver waits for them. */
const HOST_COUNT_MAX = 10;

/**
 * The slots a host starts with. Each delivery earns it one more, each failure halves them. So hosts that hang hold two
 * slots each, not ten, and leave an account's hundred to its other receivers.
 */
const HOST_COUNT_START = 2;

/**
 * From this share on an account's slots are scarce: hosts that take longer than {@link PROMPT_MS} to answer get no more
 * than the starting slots, so that ten slow receivers do not hold all hundred.
 */
const SCARCE_SHARE = 0.5;

const PROMPT_MS = 1_000;

/** Hosts remembered before idle ones with nothing on record are forgotten. */
const HOSTS_REMEMBERED = 1_000;

interface Host {
  /** The lane it last received for: usually the only one. */
  lane: string;
  inFlightCount: number;
  slots: number;
  isPrompt: boolean;
  readonly breaker: Breaker;
}

/**
 * @param accountSlots the part of an account's slots that this process has.
 * @param onBreaker is called when a host is paused, with the seconds, and with null when it no longer is.
 */
export function createLanes(
  now: () => number = () => performance.now(),
  accountSlots: () => number = () => ACCOUNT_COUNT_MAX,
  onBreaker: (hostKey: string, seconds: number | null) => void = () => undefined,
): Lanes {
  const hosts = new Map<string, Host>();
  const lanes = new Map<string, number>();
  /** Counted as breakers open and close: asking all hosts after each attempt would cost more than the attempt. */
  let openBreakerCount = 0;

  const hostOf = ({ hostKey, lane }: Lane): Host => {
    const known = hosts.get(hostKey);
    if (known) {
      known.lane = lane;
      return known;
    }
    if (hosts.size >= HOSTS_REMEMBERED) forgetIdle();
    const breaker = createBreaker();
    const host = { lane, inFlightCount: 0, slots: HOST_COUNT_START, isPrompt: true, breaker };
    hosts.set(hostKey, host);
    return host;
  };

  const forgetIdle = () => {
    for (const [key, { inFlightCount, breaker }] of hosts)
      if (inFlightCount === 0 && breaker.isFresh(now())) hosts.delete(key);
  };

  const countOf = (lane: string) => lanes.get(lane) ?? 0;

  const slotsOfLane = (lane: string) =>
    isLaneOfBatches(lane) ? Math.max(Math.floor(accountSlots() / 4), 1) : accountSlots();

  const slotsOf = ({ lane, slots, isPrompt, breaker }: Host): number => {
    const passage = breaker.passage(now());
    if (passage !== 'all') return passage === 'probe' ? 1 : 0;
    const isKeptShort = !isPrompt && countOf(lane) >= SCARCE_SHARE * slotsOfLane(lane);
    return isKeptShort ? Math.min(slots, HOST_COUNT_START) : slots;
  };

  const freeSlotsOf = (host: Host): number => Math.max(slotsOf(host) - host.inFlightCount, 0);

  const freeSlotsOfLane = (lane: string) => Math.max(slotsOfLane(lane) - countOf(lane), 0);

  return {
    enter: (lane) => {
      const host = hostOf(lane);
      if (freeSlotsOf(host) === 0 || freeSlotsOfLane(lane.lane) === 0) return false;
      host.inFlightCount += 1;
      lanes.set(lane.lane, countOf(lane.lane) + 1);
      return true;
    },
    leave: (lane, { verdict, durationMs }) => {
      const host = hostOf(lane);
      const wasFull = freeSlotsOf(host) === 0 || freeSlotsOfLane(lane.lane) === 0;
      host.inFlightCount -= 1;
      const laneCount = countOf(lane.lane) - 1;
      if (laneCount > 0) lanes.set(lane.lane, laneCount);
      else lanes.delete(lane.lane);
      if (verdict === 'neither') return wasFull;
      const before = host.breaker.openUntil();
      const at = now();
      host.breaker.record(verdict === 'failed', at);
      const after = host.breaker.openUntil();
      openBreakerCount += Number(after !== null) - Number(before !== null);
      host.isPrompt = durationMs < PROMPT_MS;
      host.slots =
        verdict === 'failed'
          ? Math.max(Math.floor(host.slots / 2), 1)
          : Math.min(host.slots + 1, HOST_COUNT_MAX);
      if (before !== after) onBreaker(lane.hostKey, after === null ? null : (after - at) / 1_000);
      return wasFull;
    },
    freeSlots: () => ({
      perHost: HOST_COUNT_MAX,
      perAccount: accountSlots(),
      // An unknown host starts with fewer: rows claimed beyond those go back, uncharged.
      hosts: new Map(
        [...hosts]
          .map(([key, host]) => [key, freeSlotsOf(host)] as const)
          .filter(([, room]) => room < HOST_COUNT_MAX),
      ),
      lanes: new Map([...lanes.keys()].map((lane) => [lane, freeSlotsOfLane(lane)])),
    }),
    probe: (hostKey) => hosts.get(hostKey)?.breaker.probe(),
    openBreakerCount: () => openBreakerCount,
    busiestAccount: () => Math.max(0, ...lanes.values()),
  };
}
