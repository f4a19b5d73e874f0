import { sql, type Transaction } from 'kysely';
import type { LockedRequest } from '../../intake/lock-request.ts';
import type { RouteChannel } from '../../tables/route.ts';
import type { Tables } from '../../tables/tables.ts';

/** Moves a locked request to a channel, where it waits from now on. Its open attempt must have ended. */
export async function moveRequest(
  trx: Transaction<Tables>,
  request: LockedRequest,
  channel: RouteChannel,
): Promise<void> {
  await sql`
    with notified as (select pg_notify('work_due', ''))
    update work_queue set channel = ${channel.source}, channel_entered_at = now(),
      channel_until = now() + make_interval(secs => ${channel.secondsMax}), attempt_count = 0, waits_since = now(),
      lease = null, leased_at = null, leased_until = null
    from notified where request_id = ${request.id}`.execute(trx);
}
