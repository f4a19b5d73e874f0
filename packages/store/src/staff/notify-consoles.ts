import { sql } from 'kysely';
import { withoutFlush } from '../connection/role-settings.ts';
import type { Store } from '../open-store.ts';

/**
 * Notifies every process that something changed which a page may show (`console_hint`). A page that misses it reads
 * again within 15 seconds.
 */
export async function notifyConsoles({ db }: Store, payload: string): Promise<void> {
  await sql`select ${withoutFlush}, pg_notify('console_hint', ${payload})`.execute(db);
}
