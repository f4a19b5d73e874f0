import { type Kysely, sql, type Transaction } from 'kysely';
import { LOCKS } from '../../locks.ts';
import type { Tables } from '../../tables/tables.ts';

/** Whether this transaction may write to the chain of seals; of all processes one may at a time. */
export async function trySealingLock(trx: Transaction<Tables>): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${LOCKS.sealing}::bigint) as mine`.execute(trx);
  return rows[0]?.mine === true;
}

/** Waits until this transaction may. */
export async function waitForSealingLock(trx: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS.sealing}::bigint)`.execute(trx);
}
