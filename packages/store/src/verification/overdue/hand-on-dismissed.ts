import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

/**
 * Hands dismissed agents' requests on at the next look for overdue ones. One that somebody is changing is left: its held
 * output is being applied, or its channel's time is over.
 */
export async function handOnDismissed(
  trx: Transaction<Tables>,
  requestIds: readonly string[],
): Promise<void> {
  await sql`
    update work_queue set channel_until = now() where request_id in (
      select request_id from work_queue
      where request_id = any (${requestIds}::text[]) and postponed and waits_since = channel_until
      for no key update skip locked
    )`.execute(trx);
}
