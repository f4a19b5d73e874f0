import type { WorkItem } from '@insurance-verification/schema';
import type { Presence } from './presence.ts';

/** Why a request is no longer the agent's. */
export type LossReason = 'lease_lost' | 'key_refused';

/** A request that an agent of this program holds, or held a short while ago. */
export interface Lease {
  readonly requestId: string;
  readonly item: WorkItem;
  /** Names the person in every entry that is handed in for this lease. */
  readonly personUuid: string;
  /** Of the client that works on it. */
  presence: Presence;
  expiresAt: string;
  /** When it is renewed next. */
  renewAt: number;
  lost: LossReason | undefined;
  /** Whether the agent has heard of the loss. */
  isLossTold: boolean;
}

/** Renewed when a third of it is over, so that two renewals may fail; at least every 30 s, since clocks differ. */
export function nextRenewal(expiresAt: string, now: number): number {
  return now + Math.min(Math.max((Date.parse(expiresAt) - now) / 3, 1_000), 30_000);
}

/** What the agent is told of a loss. */
export function tellLoss({ requestId, expiresAt, lost }: Lease): string {
  const why =
    lost === 'key_refused'
      ? 'the service no longer takes your API key'
      : `its lease ended (it was held until ${expiresAt} at the latest), or it was finished in another way`;
  return (
    `You no longer hold ${requestId}: ${why}. Stop working on it; someone else may have it, ` +
    'and what you found can no longer be handed in. Go on with claim_next.'
  );
}
