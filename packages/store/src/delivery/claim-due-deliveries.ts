import { sql } from 'kysely';
import { openWebhookSecrets, type SealedWebhookSecrets } from '../access/webhook-secrets.ts';
import { WrongMasterKeyError } from '../encryption/check-master-keys.ts';
import { SealBrokenError } from '../encryption/seal.ts';
import type { Vault } from '../encryption/vault.ts';
import type { Store } from '../open-store.ts';
import { CLAIM_COUNT_MAX, LEASE_SECONDS, type Lease, withoutFlush } from './lease.ts';

/** A delivery that this worker alone may send until its lease ends. */
export interface ClaimedDelivery extends Lease {
  readonly requestId: string;
  readonly version: number;
  readonly accountId: string;
  /** HMAC of the destination's host and port, base64: equal for equal hosts. */
  readonly hostKey: string;
  /** 1 for the first attempt of this round. */
  readonly roundAttemptNumber: number;
  readonly acceptedAt: Date;
  /** Claimed more than {@link CLAIM_COUNT_MAX} times without a finished attempt: give it up. */
  readonly claimsExhausted: boolean;
  /** Null when the row's sealed values do not open: set it aside. */
  readonly message: DeliveryMessage | null;
}

interface DeliveryMessage {
  readonly callbackUrl: string;
  readonly body: Buffer;
  /** The account's current secret, then the previous one while it is valid. */
  readonly secrets: readonly string[];
}

/** How many more rows a worker takes. What it has no room for is left in the queue, charged with nothing. */
export interface Rooms {
  /** Of a host, unless `hosts` says otherwise. */
  readonly perHost: number;
  /** Of an account, unless `accounts` says otherwise. */
  readonly perAccount: number;
  /** By `ClaimedDelivery.hostKey`. */
  readonly hosts: ReadonlyMap<string, number>;
  readonly accounts: ReadonlyMap<string, number>;
}

/** One account's deliveries to one host: the unit that claims are fair to. */
export interface Lane {
  readonly hostKey: string;
  readonly accountId: string;
}

export interface Claim {
  readonly limit: number;
  readonly rooms: Rooms;
  /** Where the last page of lanes ended; null begins with the first lane. */
  readonly after: Lane | null;
}

export interface ClaimPage {
  /** The longest due first. */
  readonly claimed: readonly ClaimedDelivery[];
  /** Where the page ended; null when no lane follows. */
  readonly end: Lane | null;
}

/** Lanes that one claim looks into, due or not: each costs one look into the index (256 of them 1.5 ms). */
export const LANE_PAGE_COUNT = 256;

interface ClaimedRow extends SealedWebhookSecrets {
  id: string;
  request_id: string;
  version: number;
  account_id: string;
  destination: Buffer;
  destination_host: Buffer;
  body: Buffer;
  lease_token: string;
  round_attempt_count: number;
  claim_count: number;
  accepted_at: Date;
  due_at: Date;
}

type PageRow = { end_host: Buffer | null; end_account: string | null } & (ClaimedRow | { id: null });

/**
 * Leases up to `limit` due deliveries of the next page of lanes: of each host and account no more than its room, and
 * of those the longest due. Rows that another worker is claiming are passed over.
 *
 * It goes from lane to lane (a recursive "loose index scan") and reads in each only the rows it may lease. Rejected:
 * the longest due of all, passing over full hosts: behind 50,000 rows of one dead host every claim read them all.
 *
 * A row whose lease lapsed lost its worker: that attempt is written down as `worker_lost`. It is not one of the
 * round's, since nobody knows whether it reached the receiver.
 */
export async function claimDueDeliveries(store: Store, { limit, rooms, after }: Claim): Promise<ClaimPage> {
  const { rows } = await sql<PageRow>`
    with recursive page as (
      (select destination_host, account_id, greatest(run_at, coalesce(lease_until, run_at)) as due_at, 1 as place
      from delivery
      where done_at is null and (destination_host, account_id) >
        (${Buffer.from(after?.hostKey ?? '', 'base64')}::bytea, ${after?.accountId ?? ''}::text)
      order by destination_host, account_id, due_at limit 1)
      union all
      select next.*, page.place + 1
      from page cross join lateral (
        select destination_host, account_id, greatest(run_at, coalesce(lease_until, run_at)) as due_at from delivery
        where done_at is null and (destination_host, account_id) > (page.destination_host, page.account_id)
        order by destination_host, account_id, due_at limit 1
      ) as next
      where page.place < ${LANE_PAGE_COUNT}
    ), lane as (
      select page.destination_host, page.account_id,
        coalesce(host.room, ${rooms.perHost}) as host_room, coalesce(account.room, ${rooms.perAccount}) as account_room
      from page
      left join unnest(${keysOf(rooms.hosts)}::bytea[], ${[...rooms.hosts.values()]}::int[]) as host (key, room)
        on host.key = page.destination_host
      left join unnest(${[...rooms.accounts.keys()]}::text[], ${[...rooms.accounts.values()]}::int[]) as account (id, room)
        on account.id = page.account_id
      where page.due_at <= now()
    ), waiting as (
      select row.*, lane.*
      from lane cross join lateral (
        select id, greatest(run_at, coalesce(lease_until, run_at)) as due_at, lease_token, leased_at, lease_until
        from delivery
        where done_at is null and delivery.destination_host = lane.destination_host
          and delivery.account_id = lane.account_id and greatest(run_at, coalesce(lease_until, run_at)) <= now()
        order by due_at
        limit least(lane.host_room, lane.account_room)
        for update skip locked
      ) as row
    ), ranked as (
      select *, row_number() over (partition by destination_host order by due_at) as host_rank,
        row_number() over (partition by account_id order by due_at) as account_rank
      from waiting
    ), due as (
      select id, due_at, lease_token, leased_at, lease_until from ranked
      where host_rank <= host_room and account_rank <= account_room
      order by due_at
      limit ${limit}
    ), lost as (
      insert into delivery_attempt (delivery_id, number, at, outcome, duration_ms)
      select id, attempt_count + 1, coalesce(due.leased_at, due.lease_until), 'worker_lost',
        coalesce(1000 * extract(epoch from due.lease_until - due.leased_at), 0) -- leased before 0002, which brought leased_at
      from due join delivery using (id)
      where due.lease_token is not null
    ), leased as (
      update delivery
      set lease_token = gen_random_uuid(), leased_at = now(),
        lease_until = now() + make_interval(secs => ${LEASE_SECONDS}), claim_count = delivery.claim_count + 1,
        attempt_count = delivery.attempt_count + (due.lease_token is not null)::int
      from due, account
      where delivery.id = due.id and account.id = delivery.account_id
      returning delivery.id, delivery.request_id, delivery.version, delivery.account_id, delivery.destination,
        delivery.destination_host, delivery.body, delivery.lease_token, delivery.round_attempt_count,
        delivery.claim_count, delivery.accepted_at, due.due_at, account.webhook_secret, account.previous_webhook_secret,
        account.previous_webhook_secret_until > now() as previous_webhook_secret_valid
    ), page_end as (
      select destination_host as end_host, account_id as end_account from page where place = ${LANE_PAGE_COUNT}
    )
    select * from (select ${withoutFlush}) as always left join page_end on true left join leased on true`.execute(
    store.db,
  );
  const [first] = rows;
  const end =
    first?.end_host && first.end_account !== null
      ? { hostKey: first.end_host.toString('base64'), accountId: first.end_account }
      : null;
  const claimedRows = rows.filter((row) => row.id !== null);
  // `update … returning` promises no order.
  const inOrder = claimedRows.toSorted((a, b) => a.due_at.getTime() - b.due_at.getTime());
  return { claimed: await Promise.all(inOrder.map((row) => openClaimed(store.vault, row))), end };
}

function keysOf(hosts: Rooms['hosts']): Buffer[] {
  return [...hosts.keys()].map((key) => Buffer.from(key, 'base64'));
}

async function openClaimed(vault: Vault, row: ClaimedRow): Promise<ClaimedDelivery> {
  return {
    deliveryId: row.id,
    leaseToken: row.lease_token,
    requestId: row.request_id,
    version: row.version,
    accountId: row.account_id,
    hostKey: row.destination_host.toString('base64'),
    roundAttemptNumber: row.round_attempt_count + 1,
    acceptedAt: row.accepted_at,
    claimsExhausted: row.claim_count > CLAIM_COUNT_MAX,
    message: await openMessage(vault, row),
  };
}

async function openMessage(vault: Vault, row: ClaimedRow): Promise<DeliveryMessage | null> {
  try {
    return {
      callbackUrl: (await vault.open(`delivery.destination:${row.id}`, row.destination)).toString('utf8'),
      body: await vault.open(`delivery.body:${row.id}`, row.body),
      secrets: await openWebhookSecrets(vault, row.account_id, row),
    };
  } catch (err) {
    // A poison row, or one under a master key that only other processes have yet: the others flow.
    if (err instanceof SealBrokenError || err instanceof WrongMasterKeyError) return null;
    throw err;
  }
}
