import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../../tables/tables.ts';

/**
 * Locks a session whose call begins or ends, before its request: what ends a session locks both in this order, and would
 * otherwise deadlock with it. A key has no session.
 */
export async function lockSession(trx: Transaction<Tables>, sessionId: string | undefined): Promise<void> {
  if (sessionId === undefined) return;
  await sql`select from staff_session where id = ${sessionId} for no key update`.execute(trx);
}
