import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';

/**
 * Frees the shards of a worker whose process is known to be gone, so that the others need not wait for its lease.
 * @param notifier the `Store.notifier` of that process.
 */
export async function freeShards({ db }: Store, notifier: string): Promise<void> {
  await sql`
    with freed as (delete from delivery_worker where id = ${notifier} returning id)
    select pg_notify('delivery_due', 'shards:' || id) from freed`.execute(db);
}
