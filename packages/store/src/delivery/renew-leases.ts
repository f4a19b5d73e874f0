import { sql } from 'kysely';
import type { Store } from '../open-store.ts';
import { LEASE_SECONDS, type Lease } from './lease.ts';

/** Extends the leases that still hold; returns the ids of those deliveries. Whoever is missing must stop. */
export async function renewLeases({ db }: Store, leases: readonly Lease[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update delivery set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from unnest(${leases.map((lease) => lease.deliveryId)}::text[], ${leases.map((lease) => lease.leaseToken)}::uuid[])
      as held (id, token)
    where delivery.id = held.id and delivery.lease_token = held.token and delivery.lease_until > now()
    returning delivery.id`.execute(db);
  return new Set(rows.map((row) => row.id));
}
