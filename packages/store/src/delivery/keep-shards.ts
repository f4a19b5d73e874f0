import { sql } from 'kysely';
import { withoutFlush } from '../connection/role-settings.ts';
import { LOCKS } from '../locks.ts';
import type { Store } from '../open-store.ts';
import { keepShardsFunction } from './keep-shards.sql.ts';
import { LEASE_SECONDS } from './leases.ts';

/** Hosts are divided into so many shards, by the first byte of their key. */
export const SHARD_COUNT = 256;

/** Concurrent attempts for one account, of all workers together. */
export const ACCOUNT_COUNT_MAX = 100;

export interface ShardsKept {
  /** Those of this worker. */
  readonly shards: readonly number[];
  /** The workers that stay, this one included. */
  readonly workerCount: number;
  /** The attempts for one account that this worker may have under way. */
  readonly accountSlots: number;
  /** Until the first of the other workers would be considered dead; null without others. */
  readonly nextEndSeconds: number | null;
}

interface ShardsAsked {
  /** The most attempts that this worker has under way for one account, or would begin by what it knows so far. */
  readonly busiest: number;
  /** Shards in which it has no attempt under way, and begins none. */
  readonly released: readonly number[];
  /** It takes no more shards; its row goes with the last one. */
  readonly leaves: boolean;
}

/**
 * Renews this worker's hold on its shards, gives some back, takes free ones up to its share, and returns the ones it
 * has. A worker that has not called for `LEASE_SECONDS` is dead, and its shards are free: it must have stopped by
 * then, by its own clock. The other workers are notified of shards to take or give up.
 */
export async function keepShards(
  { db, notifier }: Pick<Store, 'db' | 'notifier'>,
  { busiest, released, leaves }: ShardsAsked,
): Promise<ShardsKept> {
  const { rows } = await sql<{
    shards: number[];
    worker_count: number;
    slots: number;
    next_end_seconds: number | null;
  }>`
    with unflushed as materialized (select ${withoutFlush})
    select kept.* from unflushed cross join lateral ${sql.raw(keepShardsFunction.name)}(
      me => ${notifier}, busiest => ${busiest}, released => ${[...released]}::integer[], leaves => ${leaves},
      lease_seconds => ${LEASE_SECONDS}, account_max => ${ACCOUNT_COUNT_MAX},
      turns => ${LOCKS.deliveryShards}) as kept`.execute(db);
  const [kept] = rows;
  if (!kept) throw new Error('A function with out parameters answers a row.');
  return {
    shards: kept.shards,
    workerCount: kept.worker_count,
    accountSlots: kept.slots,
    nextEndSeconds: kept.next_end_seconds,
  };
}
