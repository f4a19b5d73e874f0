import { sql } from 'kysely';
import type { Store } from '../open-store.ts';

/** Resolves when the database answers, rejects when it does not. Used for readiness. */
export async function checkDatabase({ db }: Store): Promise<void> {
  await sql`select 1`.execute(db);
}
