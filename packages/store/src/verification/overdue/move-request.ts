import { sql, type Transaction } from 'kysely';
import type { LockedRequest } from '../../intake/lock-request.ts';
import type { Tables } from '../../tables.ts';
import type { RouteChannel } from '../route.ts';

/** Moves a locked request to a channel, where it waits from now on. Its open attempt must have ended. */
export async function moveRequest(
  trx: Transaction<Tables>,
  request: LockedRequest,
  channel: RouteChannel,
): Promise<void> {
  await sql`
    with notified as (select pg_notify('work_due', ''))
    update request set channel = ${channel.source}, channel_entered_at = now(),
      channel_until = now() + make_interval(secs => ${channel.secondsMax}), channel_attempt_count = 0,
      work_due_at = now(), lease_token = null, lease_until = null
    from notified where id = ${request.id}`.execute(trx);
}
