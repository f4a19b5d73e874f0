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
  readonly makeBody: () => Buffer;
}

/** The answer of the statement that wrote deliveries. */
interface WrittenDeliveries {
  readonly writtenAt: Date;
  /** The currently signing secrets of the leased deliveries' accounts, encrypted, latest first. */
  readonly encryptedSecrets: ReadonlyMap<string, readonly Buffer[]>;
}

/**
 * Milliseconds a transaction may take. The lease counts from the transaction's start, and the worker assumes it is at
 * most one heartbeat old: after a wait for a lock, or a hanging commit, another worker may have the row.
 */
const FRESH_MS_MAX = 2_000;

/**
 * Runs a transaction that may write deliveries, and after its commit gives them to workers of this process. If the
 * transaction fails or its outcome is unknown, the workers' slots are freed; a lease that was written lapses. As many run
 * at once as the pool has connections; the others wait for their turn, so that a burst is not refused.
 */
export async function transactionWithHandoff<T>(
  store: Store,
  work: (trx: Transaction<Tables>, handoff: DirectHandoff) => Promise<T>,
): Promise<T> {
  return store.finishing(async () => {
    const handoff = new DirectHandoff(store);
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

interface Reserved {
  readonly delivery: NewDelivery;
  readonly leaseToken: string;
  readonly reservation: Reservation;
  readonly localWorker: LocalWorker;
}

/** Deliveries on their way to workers of this process: reserved before they are written, begun or freed after the commit. */
export class DirectHandoff {
  readonly #store: Store;
  readonly #startedAt = performance.now();
  readonly #reserved: Reserved[] = [];
  /** Those to wake, each once, since deliveries without a slot were written. */
  readonly #toWake = new Set<LocalWorker>();
  #written: WrittenDeliveries | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns the lease token to write the delivery with; null leaves it to be claimed. */
  reserve(delivery: NewDelivery, localWorker: LocalWorker | undefined): string | null {
    if (!localWorker) return null;
    const isDueAtOnce = this.#store.firstDeliveryDelaySeconds === 0;
    const reservation = isDueAtOnce ? localWorker.reserve(delivery) : null;
    if (!reservation) {
      this.#toWake.add(localWorker);
      return null;
    }
    const leaseToken = randomUUID();
    this.#reserved.push({ delivery, leaseToken, reservation, localWorker });
    return leaseToken;
  }

  /** Notes that the transaction wrote the deliveries. */
  noteWritten(written: WrittenDeliveries): void {
    this.#written = written;
  }

  abandon(): void {
    for (const { reservation } of this.#reserved) reservation.free();
  }

  /** Begins the committed deliveries under their leases. Never rejects: whatever fails here, the results are written. */
  async settle(): Promise<void> {
    if (!this.#written) return this.abandon();
    const { writtenAt, encryptedSecrets } = this.#written;
    const secrets = await this.#openSecrets(encryptedSecrets);
    if (performance.now() - this.#startedAt < FRESH_MS_MAX)
      for (const reserved of this.#reserved)
        reserved.reservation.begin(
          claimedOf(reserved, { writtenAt, secrets: secrets.get(reserved.delivery.accountId) }),
        );
    else {
      this.abandon();
      const late = this.#reserved.map(({ delivery: { deliveryId }, leaseToken }) => ({
        deliveryId,
        leaseToken,
      }));
      await releaseLeases(this.#store, late).catch(() => undefined); // they lapse
      for (const { localWorker } of this.#reserved) this.#toWake.add(localWorker);
    }
    for (const localWorker of this.#toWake) localWorker.wake();
  }

  /** Omits accounts whose secrets do not open here: the worker sets their rows aside, as it does claimed ones. */
  async #openSecrets(
    encrypted: WrittenDeliveries['encryptedSecrets'],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const secrets = new Map<string, readonly string[]>();
    for (const [accountId, some] of encrypted) {
      const opened = await openSigningSecrets(this.#store.vault, accountId, some).catch(() => null);
      if (opened) secrets.set(accountId, opened);
    }
    return secrets;
  }
}

function claimedOf(
  { delivery, leaseToken }: Reserved,
  { writtenAt, secrets }: { readonly writtenAt: Date; readonly secrets: readonly string[] | undefined },
): ClaimedDelivery {
  const { makeBody, callbackUrl, ...carried } = delivery;
  return {
    ...carried,
    leaseToken,
    eventId: null,
    endpointId: null,
    subscription: null,
    isEndpointOff: false,
    isEventAltered: false,
    roundAttemptNumber: 1,
    acceptedAt: writtenAt,
    claimsExhausted: false,
    message: secrets ? { callbackUrl, body: makeBody(), secrets } : null,
  };
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
