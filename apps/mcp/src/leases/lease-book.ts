import type { RestClient } from '@insurance-verification/client';
import type { WorkItem } from '@insurance-verification/schema';
import { type Lease, lose, type LossReason, nextRenewal } from './lease.ts';
import { NotHeldError, TooManyLeasesError } from './not-held-error.ts';
import { Presence } from './presence.ts';
import { renewLease } from './renew-lease.ts';

/** Requests that one key may hold at once. An agent works on one; a fleet that shares a key works on a few dozen. */
const LEASE_COUNT_MAX = 100;

/** How long after its end a lease may still be renewed: what the clocks of two machines and a failed renewal take. */
const REVIVED_MS = 60_000;

/** How long an expired lease is remembered, without its data, so that a late agent learns that it is late. */
const KEPT_MS = 3_600_000;

/**
 * The leases of one key's agents, invisible to other keys. A session may continue with a lease of another session of
 * the same key, since a client that lost its connection returns in a new session.
 */
export class LeaseBook {
  readonly owner: string;
  /** Calls the service with the key. */
  readonly client: RestClient;
  /** For calls without a session, which share only their key. */
  readonly presence = new Presence();
  /** Calls and connections that currently use this book. */
  readerCount = 0;
  #claimCount = 0;
  readonly #leases = new Map<string, Lease>();

  constructor(owner: string, client: RestClient) {
    this.owner = owner;
    this.client = client;
  }

  get isEmpty(): boolean {
    return this.#leases.size === 0;
  }

  /** Records the lease that the claim returns, if any. @throws {TooManyLeasesError} */
  async claim(presence: Presence, ask: () => Promise<WorkItem | undefined>): Promise<Lease | undefined> {
    const now = Date.now();
    const heldCount = [...this.#leases.values()].filter((lease) => isHeld(lease, now)).length;
    if (heldCount + this.#claimCount >= LEASE_COUNT_MAX) throw new TooManyLeasesError(LEASE_COUNT_MAX);
    this.#claimCount += 1;
    try {
      const item = await ask();
      return item && this.#add(item, presence);
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

  /** Undefined also for a lost lease, and for one whose result was handed in. */
  find(requestId: string): Lease | undefined {
    const lease = this.#leases.get(requestId);
    return lease?.lost === undefined && !lease?.isHandedIn ? lease : undefined;
  }

  /** Forgets a lease whose request failed or was released. One whose result was handed in is kept for a repetition. */
  drop(lease: Lease): void {
    // Another call may have claimed the same request again meanwhile.
    if (this.#leases.get(lease.requestId) === lease) this.#leases.delete(lease.requestId);
  }

  /** The losses that a client has not been told of. A client that returns after a silence learns of them at once. */
  async takeLosses(presence: Presence): Promise<Lease[]> {
    const now = Date.now();
    const mine = () => [...this.#leases.values()].filter((lease) => lease.presence === presence);
    const overdue = mine().filter((lease) => isDue(lease, now) && Date.parse(lease.expiresAt) < now);
    await Promise.all(overdue.map((lease) => renewLease(this.client, lease)));
    // Looked up again: meanwhile another call may have handed in a request, or another client taken it over.
    const losses = mine().filter(({ lost, isLossReported }) => lost !== undefined && !isLossReported);
    for (const lease of losses) lease.isLossReported = true;
    return losses;
  }

  /** Notes that the service says that a request of this book is lost, where there is one and a reason. */
  noteLoss(requestId: string, reason: LossReason | undefined): void {
    const lease = this.#leases.get(requestId);
    if (lease) lose(lease, reason);
  }

  async renewDue(now: number): Promise<void> {
    for (const lease of this.#leases.values()) {
      const expiredAt = Date.parse(lease.expiresAt);
      if (expiredAt + KEPT_MS < now) this.drop(lease);
      // Nobody renews it: its client is gone, or its result was handed in and is no longer repeated.
      else if (expiredAt + REVIVED_MS < now && (lease.isHandedIn || !lease.presence.isThere(now))) {
        lease.isLossReported ||= lease.isHandedIn;
        lose(lease, 'lease_lost');
      }
    }
    const due = [...this.#leases.values()].filter(
      (lease) => isDue(lease, now) && lease.presence.isThere(now),
    );
    await Promise.all(due.map((lease) => renewLease(this.client, lease)));
  }

  #add(item: WorkItem, presence: Presence): Lease {
    const now = Date.now();
    // As many ended leases as held ones may be remembered; the oldest ended one is dropped first.
    if (this.#leases.size >= 2 * LEASE_COUNT_MAX) {
      const oldest = [...this.#leases.values()].find((lease) => !isHeld(lease, now));
      if (oldest) this.drop(oldest);
    }
    const lease: Lease = {
      requestId: item.request.request_id ?? '',
      token: item.lease_token,
      item,
      personUuid: crypto.randomUUID(),
      presence,
      expiresAt: item.lease_expires_at,
      renewAt: nextRenewal(item.lease_expires_at, now),
      lost: undefined,
      isLossReported: false,
      submission: undefined,
      isHandedIn: false,
    };
    this.#leases.delete(lease.requestId);
    this.#leases.set(lease.requestId, lease);
    return lease;
  }
}

/**
 * A lease whose client is gone expires unrenewed: the service gives its request to someone else without notice to us.
 */
function isHeld({ lost, isHandedIn, expiresAt }: Lease, now: number): boolean {
  return lost === undefined && !isHandedIn && Date.parse(expiresAt) > now;
}

function isDue({ lost, isHandedIn, renewAt }: Lease, now: number): boolean {
  return lost === undefined && !isHandedIn && renewAt <= now;
}
