import { sql } from 'kysely';
import { withoutFlush } from '../connection/without-flush.ts';
import type { Store } from '../open-store.ts';

/** Tells every process that something changed which a console may show. A page that misses it looks by itself. */
export async function notifyConsoles({ db }: Store, payload: string): Promise<void> {
  await sql`select ${withoutFlush}, pg_notify('console_hint', ${payload})`.execute(db);
}
