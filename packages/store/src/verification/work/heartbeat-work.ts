import type { RenewedLease } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { within, withinChannels, withinPayers } from '../../access/reach.ts';
import { withoutFlush } from '../../connection/without-flush.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import type { WorkLease } from './lock-lease.ts';

export interface WorkHeartbeat extends WorkLease {
  /** The lease's new duration. */
  readonly leaseSeconds: number;
}

export type RenewedWork =
  | { readonly kind: 'renewed'; readonly lease: RenewedLease }
  | { readonly kind: 'not_found' | 'lease_lost' | 'erased' };

/** Renews a lease that still holds. Never shortens it: a phone call may have extended it further. */
export async function heartbeatWork(
  { db }: Store,
  { caller, requestId, leaseToken, leaseSeconds }: WorkHeartbeat,
): Promise<RenewedWork> {
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  // Postgres refuses a text with NUL; none of our tokens contains one.
  const withoutNul = leaseToken.replaceAll('\0', '?');
  const { rows } = await sql<{ lease_until: Date | null; is_erased: boolean }>`
    with renewed as (
      update work_queue set leased_at = now(), leased_until = greatest(leased_until, now() + make_interval(secs => ${leaseSeconds}))
      where request_id = ${requestId} and lease::text = ${withoutNul}
        and (leased_until > clock_timestamp() and leased_at <= clock_timestamp() + interval '5 seconds') is true -- found by its key, not by an index of leases
        and ${within(caller, 'account_id')} and ${withinPayers(caller, 'payer_id')} and ${withinChannels(caller, 'channel')}
      returning leased_until, ${withoutFlush}
    )
    select (select leased_until from renewed) as lease_until, erased_at is not null as is_erased from request
    where id = ${requestId} and ${within(caller, 'account_id')} and ${withinPayers(caller, 'payer_id')}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return { kind: 'not_found' };
  if (row.is_erased) return { kind: 'erased' };
  if (!row.lease_until) return { kind: 'lease_lost' };
  return { kind: 'renewed', lease: { lease_expires_at: row.lease_until.toISOString() } };
}
