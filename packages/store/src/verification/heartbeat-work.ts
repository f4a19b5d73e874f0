import { sql } from 'kysely';
import { within } from '../access/reach.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { withoutFlush } from '../without-flush.ts';
import type { WorkLease } from './lock-lease.ts';

/** Renews a lease that still holds. @returns its new end. */
export async function heartbeatWork(
  { db }: Store,
  { caller, requestId, leaseToken }: WorkLease,
  leaseSeconds: number,
): Promise<Date | 'not_found' | 'lease_lost'> {
  if (!isIssuedId('req', requestId)) return 'not_found';
  // Postgres refuses a text that holds one; no token of ours does.
  const withoutNul = leaseToken.replaceAll('\0', '?');
  const { rows } = await sql<{ lease_until: Date | null }>`
    with renewed as (
      update request set lease_until = now() + make_interval(secs => ${leaseSeconds})
      where id = ${requestId} and lease_token::text = ${withoutNul} and lease_until > clock_timestamp()
        and ${within(caller, 'account_id')}
      returning lease_until, ${withoutFlush}
    )
    select (select lease_until from renewed) as lease_until from request
    where id = ${requestId} and ${within(caller, 'account_id')}`.execute(db);
  const [row] = rows;
  if (!row) return 'not_found';
  return row.lease_until ?? 'lease_lost';
}
