import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { destinationHostsOf } from '../destination-host.ts';
import { notifyHosts } from '../redelivery/start-round.ts';

/**
 * Has the delivery that waits first for a receiver tried now, whatever its breaker remembers and its schedule says; the
 * others follow if that is taken.
 * @returns the requests whose delivery is tried: one for each port of the host; none where nothing waits within reach.
 */
export async function tryReceiver(
  { db, vault }: Store,
  { caller, host }: { readonly caller: Caller; readonly host: string },
): Promise<readonly string[]> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ request_id: string; destination_host: Buffer }>`
      update delivery_queue as queued set run_at = least(queued.run_at, now())
      from unnest(${destinationHostsOf(vault, host)}::bytea[]) as asked (host)
      cross join lateral (
        select delivery_id from delivery_queue as first
        where first.destination_host = asked.host and first.leased_until is null and ${within(caller, 'first.account_id')}
        order by run_at limit 1 for update
      ) as first
      where queued.delivery_id = first.delivery_id
      returning queued.request_id, queued.destination_host`.execute(trx);
    const requestIds = rows.map((row) => row.request_id);
    if (rows.length > 0)
      await notifyHosts(
        trx,
        rows.map((row) => row.destination_host),
      );
    await recordAccess(trx, { caller, operation: 'receivers.tryNow', requestIds });
    return requestIds;
  });
}
