import { sql } from 'kysely';
import type { Store } from '../open-store.ts';
import { lockLease, type WorkLease } from './lock-lease.ts';

/**
 * Puts a sandbox request off as if it had not been claimed: the sandbox only looked at it. For so many seconds, or, with
 * null, for good. False when the lease was lost.
 */
export async function postponeSandbox(
  { db }: Store,
  lease: WorkLease,
  seconds: number | null,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const request = await lockLease(trx, lease);
    if (typeof request === 'string') return false;
    await trx
      .deleteFrom('verification_attempt')
      .where('request_id', '=', request.id)
      .where('ended_at', 'is', null)
      .execute();
    await sql`
      update request set lease_token = null, lease_until = null, channel = 'entry', channel_until = null,
        channel_attempt_count = 0, verification_attempt_count = verification_attempt_count - 1,
        work_due_at = now() + coalesce(make_interval(secs => ${seconds}::float8), interval '100 years')
      where id = ${request.id} and sandbox`.execute(trx);
    return true;
  });
}
