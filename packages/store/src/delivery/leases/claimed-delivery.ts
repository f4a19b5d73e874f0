import type { Lease } from './lease.ts';

/** A delivery that only this worker may send until its lease ends. */
export interface ClaimedDelivery extends Lease {
  readonly requestId: string;
  readonly version: number;
  /** Whether the result came with benefits. */
  readonly hasBenefits: boolean;
  readonly accountId: string;
  /** HMAC of the destination's host and port, base64: equal for equal hosts. */
  readonly hostKey: string;
  /** 1 for the first attempt of this round. */
  readonly roundAttemptNumber: number;
  readonly acceptedAt: Date;
  /** Claimed more than `FRUITLESS_CLAIM_COUNT_MAX` times without a finished attempt: give it up. */
  readonly claimsExhausted: boolean;
  /** Null when the row's sealed values do not open: set it aside. */
  readonly message: DeliveryMessage | null;
}

export interface DeliveryMessage {
  readonly callbackUrl: string;
  readonly body: Buffer;
  /** The account's current secret, then its predecessors while they are valid, latest first. */
  readonly secrets: readonly string[];
}
