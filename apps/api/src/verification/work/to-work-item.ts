import type { WorkItem } from '@insurance-verification/schema';
import type { ClaimedWork } from '@insurance-verification/store';
import type { App } from '../../procedure/context/app.ts';
import { toWorkPayer } from './to-work-payer.ts';

/** Leased work as a verifier gets it; null for a payer that is not configured, whose requests cannot be claimed. */
export function toWorkItem({ config }: App, work: ClaimedWork): WorkItem | null {
  const payer = config.payers.byId(work.payerId);
  if (!payer) return null;
  return {
    request: work.request,
    service_date: work.serviceDate,
    needed_by: work.neededBy?.toISOString() ?? null,
    channel: work.channel,
    lease_token: work.leaseToken,
    lease_expires_at: work.leaseUntil.toISOString(),
    attempt: work.attemptNumber,
    history: [...work.history],
    payer: toWorkPayer(payer),
  };
}
