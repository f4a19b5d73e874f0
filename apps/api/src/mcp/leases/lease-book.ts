import type { WorkItem } from '@insurance-verification/schema';
import type { CallOperation } from '../call-operation.ts';
import {
  type Lease,
  lose,
  lossOf,
  nextRenewal,
  NotHeldError,
  renewLease,
  tokenOf,
  TooManyLeasesError,
} from './lease.ts';
import { Presence } from './presence.ts';

/** Requests that one key may hold at once. An agent works on one; a fleet that shares a key works on a few dozen. */
const LEASE_COUNT_MAX = 100;

/** How long after its end a lease may still be renewed: what the clocks of two machines and a failed renewal take. */
const REVIVED_MS = 60_000;

/** How long an expired lease is remembered, without its data, so that a late agent learns that it is late. */
const KEPT_MS = 3_600_000;

/** Who claims: its presence, and what renews its leases. */
interface Holder {
  readonly presence: Presence;
  readonly renewal: CallOperation;
}

/**
 * The leases of one key's agents, invisible to other keys. A session may continue with a lease of another session of
 * the same key, since a client that lost its connection returns in a new session.
 */
export class LeaseBook {
  readonly keyId: string;
  /** For calls without a session, which share only their key. */
  readonly presence = new Presence();
  /** Calls and connections that currently use this book. */
  readerCount = 0;
  #claimCount = 0;
  readonly #leases = new Map<string, Lease>();

  constructor(keyId: string) {
    this.keyId = keyId;
  }

  get isEmpty(): boolean {
    return this.#leases.size === 0;
  }

  /** Records the lease that the claim returns, if any. @throws {TooManyLeasesError} */
  async claim(holder: Holder, ask: () => Promise<WorkItem | undefined>): Promise<Lease | undefined> {
    const now = Date.now();
    const heldCount = [...this.#leases.values()].filter((lease) => isHeld(lease, now)).length;
    if (heldCount + this.#claimCount >= LEASE_COUNT_MAX) throw new TooManyLeasesError(LEASE_COUNT_MAX);
    this.#claimCount += 1;
    try {
      const item = await ask();
      return item && this.#add(item, holder);
    } finally {
      this.#claimCount -= 1;
    }
  }

  /** A lease to work with, owned by this client from now on. @throws {NotHeldError} */
  take(requestId: string, presence: Presence): Lease {
    const lease = this.#leases.get(requestId);
    if (lease) lease.presence = presence;
    if (!lease || lease.lost !== undefined) throw new NotHeldError(requestId, lease);
    return lease;
  }

  /**
   * Works with a lease that the agent holds. A loss that only shows now is reported like any other.
   * @throws {NotHeldError}
   */
  async with<T>(
    requestId: string,
    presence: Presence,
    act: (lease: Lease, token: ReturnType<typeof tokenOf>) => Promise<T>,
  ): Promise<T> {
    const lease = this.take(requestId, presence);
    try {
      return await act(lease, tokenOf(lease));
    } catch (err) {
      const loss = lossOf(err);
      if (loss === undefined || loss === 'key_refused') throw err;
      lose(lease, loss);
      lease.isLossReported = true;
      throw new NotHeldError(requestId, lease);
    }
  }

  /** Undefined also for a lost lease, and for one whose result was submitted. */
  find(requestId: string): Lease | undefined {
    const lease = this.#leases.get(requestId);
    return lease?.lost === undefined && !lease?.isSubmitted ? lease : undefined;
  }

  /** Forgets a lease whose request failed or was released. One whose result was submitted is kept for a repetition. */
  drop(lease: Lease): void {
    // Another call may have claimed the same request again meanwhile.
    if (this.#leases.get(lease.requestId) === lease) this.#leases.delete(lease.requestId);
  }

  /** The losses not yet reported to a client. A client that returns after a silence learns of them at once. */
  async takeLosses(presence: Presence): Promise<Lease[]> {
    const now = Date.now();
    const mine = () => [...this.#leases.values()].filter((lease) => lease.presence === presence);
    const overdue = mine().filter((lease) => isDue(lease, now) && Date.parse(lease.expiresAt) < now);
    await Promise.all(overdue.map(renewLease));
    // Looked up again: meanwhile another call may have submitted a result, or another client taken it over.
    const losses = mine().filter(({ lost, isLossReported }) => lost !== undefined && !isLossReported);
    for (const lease of losses) lease.isLossReported = true;
    return losses;
  }

  /** Notes the loss that an error of a request means, where this book has a lease on it. */
  noteLoss(requestId: string, err: unknown): void {
    const lease = this.#leases.get(requestId);
    if (lease) lose(lease, lossOf(err));
  }

  async renewDue(now: number): Promise<void> {
    for (const lease of this.#leases.values()) {
      const expiredAt = Date.parse(lease.expiresAt);
      if (expiredAt + KEPT_MS < now) this.drop(lease);
      // It is not renewed: its client is gone, or its result was submitted and is no longer repeated.
      else if (expiredAt + REVIVED_MS < now && (lease.isSubmitted || !lease.presence.isThere(now))) {
        lease.isLossReported ||= lease.isSubmitted;
        lose(lease, 'lease_lost');
      }
    }
    const due = [...this.#leases.values()].filter(
      (lease) => isDue(lease, now) && lease.presence.isThere(now),
    );
    await Promise.all(due.map(renewLease));
  }

  #add(item: WorkItem, { presence, renewal }: Holder): Lease {
    const now = Date.now();
    // As many ended leases as held ones may be remembered; the oldest ended one is dropped first.
    if (this.#leases.size >= 2 * LEASE_COUNT_MAX) {
      const oldest = [...this.#leases.values()].find((lease) => !isHeld(lease, now));
      if (oldest) this.drop(oldest);
    }
    const lease: Lease = {
      requestId: item.request.request_id ?? '',
      token: item.lease_token,
      call: renewal,
      item,
      personUuid: crypto.randomUUID(),
      presence,
      expiresAt: item.lease_expires_at,
      renewAt: nextRenewal(item.lease_expires_at, now),
      lost: undefined,
      isLossReported: false,
      submission: undefined,
      isSubmitted: false,
    };
    this.#leases.delete(lease.requestId);
    this.#leases.set(lease.requestId, lease);
    return lease;
  }
}

/**
 * A lease whose client is gone expires unrenewed: the service gives its request to someone else without notice to us.
 */
function isHeld({ lost, isSubmitted, expiresAt }: Lease, now: number): boolean {
  return lost === undefined && !isSubmitted && Date.parse(expiresAt) > now;
}

function isDue({ lost, isSubmitted, renewAt }: Lease, now: number): boolean {
  return lost === undefined && !isSubmitted && renewAt <= now;
}
