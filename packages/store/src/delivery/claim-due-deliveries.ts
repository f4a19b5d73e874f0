import { sql } from 'kysely';
import { openWebhookSecrets, type SealedWebhookSecrets } from '../access/webhook-secrets.ts';
import { WrongMasterKeyError } from '../encryption/check-master-keys.ts';
import { SealBrokenError } from '../encryption/seal.ts';
import type { Vault } from '../encryption/vault.ts';
import type { Store } from '../open-store.ts';
import { CLAIM_COUNT_MAX, LEASE_SECONDS, type Lease } from './lease.ts';

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
  /** Null when the row's sealed values do not open: leave it, its lease lapses and its claims count. */
  readonly message: DeliveryMessage | null;
}

interface DeliveryMessage {
  readonly callbackUrl: string;
  readonly body: Buffer;
  /** The account's current secret, then the previous one while it is valid. */
  readonly secrets: readonly string[];
}

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
  accepted_at: Date;
  due_at: Date;
}

/** What a worker has no room for: it is left in the queue, charged with nothing. */
export interface FullLanes {
  /** `ClaimedDelivery.hostKey`s. */
  readonly hostKeys: readonly string[];
  readonly accountIds: readonly string[];
}

const nothingFull: FullLanes = { hostKeys: [], accountIds: [] };

/**
 * Leases up to `limit` due deliveries, the longest due first; those another worker is claiming, and those of full
 * hosts and accounts, are passed over.
 */
export async function claimDueDeliveries(
  store: Store,
  limit: number,
  full: FullLanes = nothingFull,
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedRow & { claim_count: number }>`
    with due as (
      select id, greatest(run_at, coalesce(lease_until, run_at)) as due_at from delivery
      where done_at is null and greatest(run_at, coalesce(lease_until, run_at)) <= now()
        and destination_host <> all(${full.hostKeys.map((key) => Buffer.from(key, 'base64'))}::bytea[])
        and account_id <> all(${full.accountIds}::text[])
      order by due_at
      limit ${limit}
      for update skip locked
    )
    update delivery
    set lease_token = gen_random_uuid(), lease_until = now() + make_interval(secs => ${LEASE_SECONDS}),
      claim_count = delivery.claim_count + 1
    from due, account
    where delivery.id = due.id and account.id = delivery.account_id
    returning delivery.id, delivery.request_id, delivery.version, delivery.account_id, delivery.destination,
      delivery.destination_host, delivery.body, delivery.lease_token, delivery.round_attempt_count,
      delivery.claim_count, delivery.accepted_at, due.due_at, account.webhook_secret, account.previous_webhook_secret,
      account.previous_webhook_secret_until > now() as previous_webhook_secret_valid`.execute(store.db);
  return Promise.all(
    // `update … returning` promises no order.
    rows
      .toSorted((a, b) => a.due_at.getTime() - b.due_at.getTime())
      .map(async (row) => ({
        deliveryId: row.id,
        leaseToken: row.lease_token,
        requestId: row.request_id,
        version: row.version,
        accountId: row.account_id,
        hostKey: row.destination_host.toString('base64'),
        roundAttemptNumber: row.round_attempt_count + 1,
        acceptedAt: row.accepted_at,
        claimsExhausted: row.claim_count > CLAIM_COUNT_MAX,
        message: await openMessage(store.vault, row),
      })),
  );
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
