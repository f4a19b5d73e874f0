import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';

/**
 * Notifies every process that there is work. Separate from the insert: at the commit a notification takes a server-wide
 * lock, which would serialize all intake. A process that misses it finds the work at its next poll.
 */
export async function notifyWork({ db }: Store): Promise<void> {
  await sql`select pg_notify('work_due', '')`.execute(db);
}
