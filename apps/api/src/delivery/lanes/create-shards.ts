import {
  ACCOUNT_COUNT_MAX,
  keepShards,
  LEASE_SECONDS,
  SHARD_COUNT,
  type ShardsKept,
  type Store,
} from '@insurance-verification/store';
import { createFailureLog, type Log } from '../../telemetry/log.ts';

/** The hosts that only this process calls. */
export interface Shards {
  /** Whether an attempt to a host may begin here. By `ClaimedDelivery.hostKey`. */
  readonly mayBegin: (hostKey: string) => boolean;
  /** Whether an attempt under way to a host may continue. */
  readonly holds: (hostKey: string) => boolean;
  /** Counts an attempt that begins, and one that has ended. */
  readonly enter: (hostKey: string) => void;
  readonly leave: (hostKey: string) => void;
  /** Concurrent attempts for one account in this process. */
  readonly accountSlots: () => number;
  /** The shards in which attempts may begin, a bit each; null without any. */
  readonly bits: () => Buffer | null;
  /** Another process came, went, or gave shards back. */
  readonly regroup: () => void;
  /** Gives each shard back as soon as nothing is under way in it. */
  readonly retire: () => void;
  /** Gives back the rest. */
  readonly stop: () => Promise<void>;
}

export interface ShardsOptions {
  readonly store: Store;
  /** The most attempts under way for one account. */
  readonly busiestAccount: () => number;
  /** Shards, or more slots, came. */
  readonly onMore: () => void;
  /** Shards were lost to another process, or this one could not renew them in time. */
  readonly onLost: () => void;
  readonly log: Log;
}

/** Milliseconds between renewals. */
const BEAT_MS = 2_000;

/** By its own clock a process gives up its shards this long before others take them. */
const MARGIN_MS = 1_500;

/** Divides the hosts among the processes that deliver, so that each is called by one of them at a time. */
export function createShards({ store, busiestAccount, onMore, onLost, log }: ShardsOptions): Shards {
  const logFailure = createFailureLog(log, 'shards could not be renewed; the next beat tries again');
  const underWay = new Map<number, number>();
  const countIn = (shard: number) => underWay.get(shard) ?? 0;
  let mine = new Set<number>();
  /** Of mine, those that another process is to have. */
  const leaving = new Set<number>();
  let validUntil = -Infinity;
  let accountSlots = 0;
  let leaves = false;
  let isOver = false;
  let beating: Promise<void> | undefined;
  let isWanted = false;
  let takeOver: NodeJS.Timeout | undefined;
  let lapse: NodeJS.Timeout | undefined;

  const isValid = () => performance.now() < validUntil;
  const idle = () => [...leaving].filter((shard) => countIn(shard) === 0);

  const take = ({ shards, workerCount, accountSlots: slots }: ShardsKept, askedAt: number) => {
    const before = mine;
    const hadLess = shards.some((shard) => !before.has(shard)) || slots > accountSlots || !isValid();
    mine = new Set(shards);
    for (const shard of leaving) if (!mine.has(shard)) leaving.delete(shard);
    validUntil = askedAt + LEASE_SECONDS * 1000 - MARGIN_MS;
    clearTimeout(lapse);
    lapse = setTimeout(onLost, validUntil - performance.now()).unref();
    accountSlots = Math.min(slots, Math.floor(ACCOUNT_COUNT_MAX / Math.max(workerCount, 1)));
    const surplus = leaves ? mine.size : mine.size - Math.ceil(SHARD_COUNT / Math.max(workerCount, 1));
    // Those with nothing under way first: they change hands at once.
    const order = [...mine].toSorted((one, other) => countIn(one) - countIn(other));
    for (const shard of order) if (leaving.size < surplus) leaving.add(shard);
    if ([...before].some((shard) => !mine.has(shard) && countIn(shard) > 0)) onLost();
    if (hadLess) onMore();
  };

  const beatOnce = async () => {
    const askedAt = performance.now();
    const slotsBefore = accountSlots;
    const busiest = Math.max(leaves ? 0 : accountSlots, busiestAccount());
    const kept = await keepShards(store, { busiest, released: idle(), leaves });
    take(kept, askedAt);
    // A dead worker's shards are taken when its lease ends, not up to a beat later.
    const endsInMs = (kept.nextEndSeconds ?? Infinity) * 1000;
    clearTimeout(takeOver);
    if (endsInMs < BEAT_MS && !isOver) takeOver = setTimeout(regroup, Math.max(endsInMs, 0) + 20).unref();
    // What was learned just now is reported at once: others wait for the room and the shards.
    if (accountSlots < slotsBefore || idle().length > 0) isWanted = true;
  };

  const beat = async () => {
    do {
      isWanted = false;
      await beatOnce().catch((err: unknown) => {
        if (!isOver) logFailure(err);
      });
    } while (isWanted && !isOver);
    beating = undefined;
  };

  const regroup = () => {
    isWanted = true;
    if (!isOver) beating ??= beat();
  };
  const timer = setInterval(regroup, BEAT_MS).unref();
  regroup();

  return {
    mayBegin: (hostKey) => {
      const shard = shardOf(hostKey);
      return mine.has(shard) && !leaving.has(shard) && isValid();
    },
    holds: (hostKey) => mine.has(shardOf(hostKey)) && isValid(),
    enter: (hostKey) => {
      const shard = shardOf(hostKey);
      underWay.set(shard, countIn(shard) + 1);
    },
    leave: (hostKey) => {
      const shard = shardOf(hostKey);
      underWay.set(shard, countIn(shard) - 1);
      if (countIn(shard) === 0 && leaving.has(shard)) regroup();
    },
    accountSlots: () => accountSlots,
    bits: () => {
      if (!isValid()) return null;
      const bits = Buffer.alloc(SHARD_COUNT / 8);
      for (const shard of mine)
        if (!leaving.has(shard)) bits[shard >> 3] = (bits[shard >> 3] ?? 0) | (1 << (shard & 7));
      return bits.some((byte) => byte !== 0) ? bits : null;
    },
    regroup,
    retire: () => {
      leaves = true;
      for (const shard of mine) leaving.add(shard);
      regroup();
    },
    stop: async () => {
      leaves = true;
      for (const shard of mine) leaving.add(shard);
      await beating;
      isOver = true;
      clearInterval(timer);
      clearTimeout(takeOver);
      await beatOnce().catch((err: unknown) => log.warn({ err }, 'shards were not given back; they lapse'));
      clearTimeout(lapse);
    },
  };
}

/** The first byte of the base64-encoded key. */
function shardOf(hostKey: string): number {
  return ((sixBits(hostKey.charCodeAt(0)) << 2) | (sixBits(hostKey.charCodeAt(1)) >> 4)) & 255;
}

/** The value of a character of base64. */
function sixBits(code: number): number {
  if (code >= 97) return code - 71; // a-z
  if (code >= 65) return code - 65; // A-Z
  if (code >= 48) return code + 4; // 0-9
  return code === 43 ? 62 : 63; // + and /
}
