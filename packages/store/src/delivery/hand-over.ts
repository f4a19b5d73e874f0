import { randomUUID } from 'node:crypto';
import { openSigningSecrets } from '../access/accounts/webhook-secrets.ts';
import type { Store } from '../open-store.ts';
import type { ClaimedDelivery } from './claim-due-deliveries.ts';
import type { Courier, Reservation } from './courier.ts';
import { releaseLeases } from './release-leases.ts';

/** A delivery of the first round, as it is written. */
export interface NewDelivery {
  readonly deliveryId: string;
  readonly requestId: string;
  readonly version: number;
  readonly accountId: string;
  readonly hostKey: string;
  readonly callbackUrl: string;
  readonly body: Buffer;
}

/** What the statement that wrote them answered. */
export interface WrittenDeliveries {
  /** Whether each was written. */
  readonly isWritten: readonly boolean[];
  readonly writtenAt: Date;
  /** By account, those that sign now, sealed, the latest first. */
  readonly sealedSecrets: ReadonlyMap<string, readonly Buffer[]>;
}

/**
 * Milliseconds that the statement may take. The lease counts from its beginning, and the worker takes it for no older
 * than one beat: after a commit that hung, another worker may have the row.
 */
const FRESH_MS_MAX = 2_000;

interface Reserved {
  readonly delivery: NewDelivery;
  readonly leaseToken: string;
  readonly reservation: Reservation;
}

/** Deliveries on their way to a worker of this process: reserved before they are written, begun or freed after. */
export class HandOver {
  readonly #store: Store;
  readonly #courier: Courier | undefined;
  readonly #reserved: readonly (Reserved | null)[];
  readonly #reservedAt = performance.now();

  constructor(store: Store, courier: Courier | undefined, deliveries: readonly NewDelivery[]) {
    this.#store = store;
    this.#courier = courier;
    const isDueAtOnce = store.firstDeliveryDelaySeconds === 0;
    this.#reserved = deliveries.map((delivery) => {
      const reservation = isDueAtOnce ? courier?.reserve(delivery) : undefined;
      return reservation ? { delivery, leaseToken: randomUUID(), reservation } : null;
    });
  }

  /** Under which each delivery is to be leased; null leaves it to whoever claims it. */
  get leaseTokens(): (string | null)[] {
    return this.#reserved.map((reserved) => reserved?.leaseToken ?? null);
  }

  /** Nothing was written, or nobody knows: a lease that stands lapses. */
  abandon(): void {
    for (const reserved of this.#reserved) reserved?.reservation.free();
  }

  /** Begins what was written, under its lease. Does not reject: whatever fails here, the result is written. */
  async settle(written: WrittenDeliveries): Promise<void> {
    const isFresh = performance.now() - this.#reservedAt < FRESH_MS_MAX;
    const late: { deliveryId: string; leaseToken: string }[] = [];
    let isQueued = false;
    const secrets = await this.#openSecrets(written);
    for (const [index, isWritten] of written.isWritten.entries()) {
      const reserved = this.#reserved[index];
      if (!reserved) isQueued ||= isWritten;
      else if (isWritten && isFresh) reserved.reservation.begin(claimedOf(reserved, written, secrets));
      else {
        reserved.reservation.free();
        if (isWritten) late.push({ ...reserved.delivery, leaseToken: reserved.leaseToken });
      }
    }
    if (late.length > 0) await releaseLeases(this.#store, late).catch(() => undefined); // they lapse
    if (isQueued || late.length > 0) this.#courier?.wake();
  }

  /** An account whose secrets do not open here is left out: the worker puts its row away, as a claimed one. */
  async #openSecrets({ sealedSecrets }: WrittenDeliveries): Promise<Map<string, readonly string[]>> {
    const { vault } = this.#store;
    const opened = await Promise.all(
      [...sealedSecrets].map(async ([accountId, sealed]) => {
        const secrets = await openSigningSecrets(vault, accountId, sealed).catch(() => null);
        return secrets ? [[accountId, secrets] as const] : [];
      }),
    );
    return new Map(opened.flat());
  }
}

function claimedOf(
  { delivery, leaseToken }: Reserved,
  { writtenAt }: WrittenDeliveries,
  secretsByAccount: ReadonlyMap<string, readonly string[]>,
): ClaimedDelivery {
  const { deliveryId, requestId, version, accountId, hostKey, callbackUrl, body } = delivery;
  const secrets = secretsByAccount.get(accountId);
  return {
    deliveryId,
    leaseToken,
    requestId,
    version,
    accountId,
    hostKey,
    roundAttemptNumber: 1,
    acceptedAt: writtenAt,
    claimsExhausted: false,
    message: secrets ? { callbackUrl, body, secrets } : null,
  };
}
