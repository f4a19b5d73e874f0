import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';

/**
 * Notifies every process that there is work. Not part of the insert: a notification takes a lock of the whole server at
 * the commit, which would put all intake in one line. Whoever misses it finds the work at the next poll.
 */
export async function notifyWork({ db }: Store): Promise<void> {
  await sql`select pg_notify('work_due', '')`.execute(db);
}
