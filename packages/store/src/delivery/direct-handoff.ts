import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { openSigningSecrets } from '../access/webhook-secrets.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import type { ClaimedDelivery, Lane } from './claim-due-deliveries.ts';
import { releaseLeases } from './leases.ts';

/** A delivery of the first round, about to be written. */
export interface NewDelivery {
  readonly deliveryId: string;
  readonly requestId: string;
  readonly version: number;
  readonly hasBenefits: boolean;
  readonly accountId: string;
  readonly lane: string;
  readonly hostKey: string;
  readonly callbackUrl: string;
  readonly body: Buffer;
}

/** The answer of the statement that wrote it. */
interface WrittenDelivery {
  readonly writtenAt: Date;
  /** The account's currently signing secrets, encrypted, latest first; empty without a lease. */
  readonly encryptedSecrets: readonly Buffer[];
}

/**
 * Milliseconds a transaction may take. The lease counts from the transaction's start, and the worker assumes it is at
 * most one heartbeat old: after a wait for a lock, or a hanging commit, another worker may have the row.
 */
const FRESH_MS_MAX = 2_000;

/**
 * Runs a transaction that may write a delivery, and after its commit gives the delivery to this process's worker. If the
 * transaction fails or its outcome is unknown, the worker's slot is freed; a lease that was written lapses. As many run at
 * once as the pool has connections; the others wait for their turn, so that a burst is not refused.
 */
export async function transactionWithHandoff<T>(
  store: Store,
  localWorker: LocalWorker | undefined,
  work: (trx: Transaction<Tables>, handoff: DirectHandoff) => Promise<T>,
): Promise<T> {
  return store.finishing(async () => {
    const handoff = new DirectHandoff(store, localWorker);
    let answer: T;
    try {
      answer = await store.db.transaction().execute((trx) => work(trx, handoff));
    } catch (err) {
      handoff.abandon();
      throw err;
    }
    await handoff.settle();
    return answer;
  });
}

/** One delivery's way to a worker of this process: reserved before it is written, begun or freed after the commit. */
export class DirectHandoff {
  readonly #store: Store;
  readonly #localWorker: LocalWorker | undefined;
  readonly #startedAt = performance.now();
  #reserved:
    | { readonly delivery: NewDelivery; readonly leaseToken: string; readonly reservation: Reservation }
    | undefined;
  #written: WrittenDelivery | undefined;

  constructor(store: Store, localWorker: LocalWorker | undefined) {
    this.#store = store;
    this.#localWorker = localWorker;
  }

  /** Returns the lease token to write the delivery with; null leaves it to be claimed. */
  reserve(delivery: NewDelivery): string | null {
    const isDueAtOnce = this.#store.firstDeliveryDelaySeconds === 0;
    const reservation = isDueAtOnce && this.#localWorker?.reserve(delivery);
    if (!reservation) return null;
    const leaseToken = randomUUID();
    this.#reserved = { delivery, leaseToken, reservation };
    return leaseToken;
  }

  /** Notes that the transaction wrote the delivery. */
  noteWritten(written: WrittenDelivery): void {
    this.#written = written;
  }

  abandon(): void {
    this.#reserved?.reservation.free();
  }

  /** Begins the committed delivery under its lease. Never rejects: whatever fails here, the result is written. */
  async settle(): Promise<void> {
    if (!this.#written) return this.abandon();
    if (!this.#reserved) return this.#localWorker?.wake();
    const { delivery, leaseToken, reservation } = this.#reserved;
    const { writtenAt, encryptedSecrets } = this.#written;
    const { deliveryId, requestId, version, hasBenefits, accountId, lane, hostKey, callbackUrl, body } =
      delivery;
    // Null where the secrets do not open here: the worker sets the row aside, as it does a claimed one.
    const secrets = await openSigningSecrets(this.#store.vault, accountId, encryptedSecrets).catch(
      () => null,
    );
    if (performance.now() - this.#startedAt < FRESH_MS_MAX)
      return reservation.begin({
        deliveryId,
        leaseToken,
        requestId,
        version,
        eventId: null,
        endpointId: null,
        subscription: null,
        isEndpointOff: false,
        isEventAltered: false,
        hasBenefits,
        accountId,
        lane,
        hostKey,
        roundAttemptNumber: 1,
        acceptedAt: writtenAt,
        claimsExhausted: false,
        message: secrets && { callbackUrl, body, secrets },
      } satisfies ClaimedDelivery);
    reservation.free();
    await releaseLeases(this.#store, [{ deliveryId, leaseToken }]).catch(() => undefined); // it lapses
    this.#localWorker?.wake();
  }
}

/**
 * A delivery worker of this process. It takes over deliveries as they are created, which saves claiming, reading and
 * decrypting them; those it has no slot for wait in the queue as usual.
 */
export interface LocalWorker {
  /** Reserves a slot for a delivery about to be written; null when none is free, or others wait for it. */
  readonly reserve: (lane: Lane) => Reservation | null;
  /** Called after deliveries without a reservation were written. */
  readonly wake: () => void;
}

/** Exactly one of the two is called, once. */
export interface Reservation {
  /** The delivery was written, under this worker's lease. */
  readonly begin: (claimed: ClaimedDelivery) => void;
  /** It was not written, or its lease was released. */
  readonly free: () => void;
}
