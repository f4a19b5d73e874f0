import { sql } from 'kysely';
import { prepared } from '../../functions/prepared-call.ts';
import type { Store } from '../../open-store.ts';
import { claimDeliveriesFunction } from './claim-due-deliveries.sql.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { LEASE_SECONDS } from './lease.ts';
import { type ClaimedRow, openClaimed } from './open-claimed.ts';

/** How many more rows a worker takes. Rows it has no room for stay in the queue, uncounted. */
export interface Rooms {
  /** Per host, unless `hosts` overrides it. */
  readonly perHost: number;
  /** Per account, unless `accounts` overrides it. */
  readonly perAccount: number;
  /** By `ClaimedDelivery.hostKey`. */
  readonly hosts: ReadonlyMap<string, number>;
  readonly accounts: ReadonlyMap<string, number>;
}

/** One account's deliveries to one host: the unit of fairness between claims. */
export interface Lane {
  readonly hostKey: string;
  readonly accountId: string;
}

export interface Claim {
  readonly limit: number;
  readonly rooms: Rooms;
  /** The end of the last page of lanes; null starts with the first lane. */
  readonly after: Lane | null;
  /** A bit for each shard, set for those of this worker; undefined: all. */
  readonly shards?: Buffer;
}

export interface ClaimPage {
  /** Longest due first. */
  readonly claimed: readonly ClaimedDelivery[];
  /** The end of this page; null when no lane follows. */
  readonly end: Lane | null;
}

/** Lanes that one claim visits at most, due or not: each costs an index probe or two (256 of them 1.5 ms). */
export const LANE_PAGE_COUNT = 256;

const claimDeliveries = sql.raw(claimDeliveriesFunction.name);

type PageRow = { end_host: Buffer | null; end_account: string | null } & (ClaimedRow | { id: null });

/**
 * Leases up to `limit` due deliveries of the next page of lanes: for each host and account no more than its room, the
 * longest due first. Skips rows that another worker is claiming.
 *
 * It goes from lane to lane (a recursive "loose index scan"), reads only the rows it may lease in each, and ends with
 * the lane that fills it: the next claim goes on behind that. Rejected: the longest due of 256 lanes, of which each was
 * read for it, 1,600 to 4,900 pages a claim; the longest due of all, skipping full hosts: behind 50,000 rows of one dead
 * host every claim read them all.
 *
 * A row whose lease lapsed lost its worker: that attempt is recorded as `worker_lost`. It does not count in the round,
 * since nobody knows whether it reached the receiver.
 */
export async function claimDueDeliveries(
  store: Store,
  { limit, rooms, after, shards }: Claim,
): Promise<ClaimPage> {
  const { rows } = await sql<PageRow>`
    select * from ${claimDeliveries}(
      after_host => ${Buffer.from(after?.hostKey ?? '', 'base64')}, after_account => ${after?.accountId ?? ''},
      lanes_max => ${LANE_PAGE_COUNT}, rows_max => ${limit}, lease_seconds => ${LEASE_SECONDS},
      room_per_host => ${rooms.perHost}, room_per_account => ${rooms.perAccount},
      host_rooms => ${JSON.stringify(Object.fromEntries(rooms.hosts))},
      account_rooms => ${JSON.stringify(Object.fromEntries(rooms.accounts))}, shards => ${shards ?? null}) ${prepared}`.execute(
    store.db,
  );
  const [first] = rows;
  const end =
    first?.end_host && first.end_account !== null
      ? { hostKey: first.end_host.toString('base64'), accountId: first.end_account }
      : null;
  const claimed = rows.filter((row) => row.id !== null);
  return { claimed: await openClaimed(store, claimed), end };
}
