import type { Schemas, WorkItem } from '@insurance-verification/schema';
import type { Lease } from '../leases/lease.ts';

/** A leased request as the agent sees it. The lease token stays here: the tools fill it in. */
export const HeldItem = ({ WorkItem }: Schemas) => WorkItem.omit({ lease_token: true }).loose();

export function heldItem({ item, expiresAt }: Lease): Omit<WorkItem, 'lease_token'> {
  const { lease_token: _, ...rest } = item;
  return { ...rest, lease_expires_at: expiresAt };
}
