import type { WorkItem } from '@insurance-verification/schema';
import type { Presence } from './presence.ts';

/** Why the agent lost a request. */
export type LossReason = 'lease_lost' | 'key_refused' | 'request_erased';

/** A request that an agent of this program holds, or held recently. */
export interface Lease {
  readonly requestId: string;
  readonly token: string;
  /** What was claimed, a patient's data; undefined once the lease is lost. */
  item: WorkItem | undefined;
  /** The `person_uuid` of every entry handed in under this lease. */
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
   * What was handed in last, as the SHA-256 of its JSON, and when; the same again has the same time, or it would be
   * another result.
   */
  submission: { readonly digest: string; readonly verifiedAt: string } | undefined;
  /** Whether a result was handed in, and counted. */
  isHandedIn: boolean;
}

/** Renews after a third of the lease, so that two renewals may fail; at least every 30 s, since clocks differ. */
export function nextRenewal(expiresAt: string, now: number): number {
  return now + Math.min(Math.max((Date.parse(expiresAt) - now) / 3, 1_000), 30_000);
}

/** Ends a lease that its agent lost: the patient's data leaves memory at once. The first reason stays. */
export function lose(lease: Lease, reason: LossReason | undefined): void {
  if (reason === undefined) return;
  lease.lost ??= reason;
  lease.item = undefined;
  lease.submission = undefined;
}

/** The message to the agent about a loss. */
export function describeLoss({ requestId, expiresAt, lost, isHandedIn }: Lease): string {
  if (lost === 'request_erased')
    return `The data of ${requestId} was erased. Stop working on it, and forget what it said. Go on with claim_next.`;
  if (isHandedIn) return `You handed in a result of ${requestId}, and it counted. Go on with claim_next.`;
  const why =
    lost === 'key_refused'
      ? 'the service no longer takes your API key'
      : `its lease ended (it was held until ${expiresAt} at the latest), or it was finished in another way`;
  return (
    `You no longer hold ${requestId}: ${why}. Stop working on it; someone else may have it, ` +
    'and what you found can no longer be handed in. Go on with claim_next.'
  );
}
