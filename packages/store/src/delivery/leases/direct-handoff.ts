import { randomUUID } from 'node:crypto';
import { openSigningSecrets } from '../../access/accounts/webhook-secrets.ts';
import type { Store } from '../../open-store.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import type { LocalWorker, Reservation } from './local-worker.ts';
import { releaseLeases } from './release-leases.ts';

/** A delivery of the first round, as written. */
export interface NewDelivery {
  readonly deliveryId: string;
  readonly requestId: string;
  readonly version: number;
  readonly hasBenefits: boolean;
  readonly accountId: string;
  readonly hostKey: string;
  readonly callbackUrl: string;
  readonly body: Buffer;
}

/** The answer of the statement that wrote them. */
export interface WrittenDeliveries {
  /** Whether each was written. */
  readonly isWritten: readonly boolean[];
  readonly writtenAt: Date;
  /** The currently signing secrets by account, sealed, latest first. */
  readonly sealedSecrets: ReadonlyMap<string, readonly Buffer[]>;
}

/**
 * Milliseconds the statement may take. The lease counts from the statement's start, and the worker assumes it is at
 * most one heartbeat old: after a hanging commit another worker may have the row.
 */
const FRESH_MS_MAX = 2_000;

interface Reserved {
  readonly delivery: NewDelivery;
  readonly leaseToken: string;
  readonly reservation: Reservation;
}

/** Deliveries handed to a worker of this process: reserved before they are written, begun or freed afterwards. */
export class DirectHandoff {
  readonly #store: Store;
  readonly #localWorker: LocalWorker | undefined;
  readonly #reserved: readonly (Reserved | null)[];
  readonly #reservedAt = performance.now();

  constructor(store: Store, localWorker: LocalWorker | undefined, deliveries: readonly NewDelivery[]) {
    this.#store = store;
    this.#localWorker = localWorker;
    const isDueAtOnce = store.firstDeliveryDelaySeconds === 0;
    this.#reserved = deliveries.map((delivery) => {
      const reservation = isDueAtOnce ? localWorker?.reserve(delivery) : undefined;
      return reservation ? { delivery, leaseToken: randomUUID(), reservation } : null;
    });
  }

  /** The lease tokens to write the deliveries with; null leaves a delivery to be claimed. */
  get leaseTokens(): (string | null)[] {
    return this.#reserved.map((reserved) => reserved?.leaseToken ?? null);
  }

  /** Nothing was written, or the outcome is unknown: a lease that was written lapses. */
  abandon(): void {
    for (const reserved of this.#reserved) reserved?.reservation.free();
  }

  /** Begins the written deliveries under their leases. Never rejects: whatever fails here, the result is written. */
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
    if (isQueued || late.length > 0) this.#localWorker?.wake();
  }

  /** Omits accounts whose secrets do not open here: the worker sets their rows aside, as claimed ones. */
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
  const { deliveryId, requestId, version, hasBenefits, accountId, hostKey, callbackUrl, body } = delivery;
  const secrets = secretsByAccount.get(accountId);
  return {
    deliveryId,
    leaseToken,
    requestId,
    version,
    hasBenefits,
    accountId,
    hostKey,
    roundAttemptNumber: 1,
    acceptedAt: writtenAt,
    claimsExhausted: false,
    message: secrets ? { callbackUrl, body, secrets } : null,
  };
}
