import { PROBLEMS, type WorkItem } from '@insurance-verification/schema';
import { ProblemError } from '../../procedure/problem.ts';
import type { CallOperation } from '../call-operation.ts';
import type { Presence } from './presence.ts';

/** Why the agent lost a request. */
export type LossReason = 'lease_lost' | 'key_refused' | 'request_erased';

/** A request that an agent holds, or held recently. */
export interface Lease {
  readonly requestId: string;
  readonly token: string;
  /** Calls the operations that renew it, with the key that claimed it. */
  readonly call: CallOperation;
  /** What was claimed, a patient's data; undefined once the lease is lost. */
  item: WorkItem | undefined;
  /** The `person_uuid` of every entry submitted under this lease. */
  readonly personUuid: string;
  /** The presence of the client that works on it. */
  presence: Presence;
  expiresAt: string;
  /** The time of the next renewal. */
  renewAt: number;
  lost: LossReason | undefined;
  /** Whether the loss was reported to the agent. */
  isLossReported: boolean;
  /**
   * What was submitted last, as the SHA-256 of its JSON, and when; the same again has the same time, or it would be
   * another result.
   */
  submission: { readonly digest: string; readonly verifiedAt: string } | undefined;
  /** Whether a result was submitted, and counted. */
  isSubmitted: boolean;
}

/** The proof of a lease for the operations. */
export function tokenOf({ requestId, token }: Lease): { request_id: string; lease_token: string } {
  return { request_id: requestId, lease_token: token };
}

/** Renews after a third of the lease, so that two renewals may fail; at least every 30 s, since clocks differ. */
export function nextRenewal(expiresAt: string, now: number): number {
  return now + Math.min(Math.max((Date.parse(expiresAt) - now) / 3, 1_000), 30_000);
}

/** The retry delay after a transient failure. */
const RETRY_MS = 2_000;

/**
 * Renews a lease, or records its loss. Any other failure may be transient and is retried while the client is present.
 */
export async function renewLease(lease: Lease): Promise<void> {
  lease.renewAt = Number.POSITIVE_INFINITY; // one renewal at a time
  try {
    const renewed = await lease.call('work.heartbeat', tokenOf(lease));
    lease.expiresAt = renewed.lease_expires_at;
    lease.renewAt = nextRenewal(renewed.lease_expires_at, Date.now());
  } catch (err) {
    lose(lease, lossOf(err)); // another call may have found the loss meanwhile
    lease.renewAt = Date.now() + RETRY_MS;
  }
}

/** The loss that an error means; undefined when the lease may still hold. */
export function lossOf(err: unknown): LossReason | undefined {
  if (!(err instanceof ProblemError)) return undefined;
  const { code } = err;
  if (code === 'request_erased') return code;
  if (code === 'lease_lost' || code === 'not_found') return 'lease_lost';
  const { status } = PROBLEMS[code];
  return status === 401 || status === 403 ? 'key_refused' : undefined;
}

/** Ends a lease that its agent lost: the patient's data leaves memory at once. The first reason stays. */
export function lose(lease: Lease, reason: LossReason | undefined): void {
  if (reason === undefined) return;
  lease.lost ??= reason;
  lease.item = undefined;
  lease.submission = undefined;
}

/** The message to the agent about a loss. */
export function describeLoss({ requestId, expiresAt, lost, isSubmitted }: Lease): string {
  if (lost === 'request_erased')
    return `The data of ${requestId} was erased. Stop working on it, and forget what it said. Continue with claim_next.`;
  if (isSubmitted) return `You submitted a result of ${requestId}, and it counted. Continue with claim_next.`;
  const why =
    lost === 'key_refused'
      ? 'the service no longer accepts your API key'
      : `its lease ended (it was held until ${expiresAt} at the latest), or it was finished in another way`;
  return (
    `You no longer hold ${requestId}: ${why}. Stop working on it; someone else may have it, ` +
    'and a result of yours can no longer be submitted. Continue with claim_next.'
  );
}

/** The agent named a request that it does not hold. */
export class NotHeldError extends Error {
  override readonly name = 'NotHeldError';
  /** The service's code for it. */
  readonly code: 'lease_lost' | 'request_erased';

  constructor(requestId: string, lease: Lease | undefined) {
    super(
      lease
        ? describeLoss(lease)
        : `You hold no lease on ${requestId.slice(0, 100)}. Take work with claim_next.`,
    );
    this.code = lease?.lost === 'request_erased' ? lease.lost : 'lease_lost';
  }
}

/** The agent holds the maximum number of requests for one key. */
export class TooManyLeasesError extends Error {
  override readonly name = 'TooManyLeasesError';

  constructor(count: number) {
    super(
      `Your key holds ${count} requests, which is the most. Submit, fail or release some before the next claim_next.`,
    );
  }
}
