import { sql, type Transaction } from 'kysely';
import { channelEndFunction } from '../../intake/channel-end.sql.ts';
import type { Tables } from '../../tables/tables.ts';
import type { OverduePlan } from './plan-overdue.ts';

const channelEnd = sql.raw(channelEndFunction.name);

/**
 * Returns locked requests to their channel, with its whole time where it was cut short, or moves them to the next one.
 * Their attempts have ended.
 */
export async function requeueRequests(
  trx: Transaction<Tables>,
  plans: readonly OverduePlan[],
): Promise<void> {
  const putBack = plans.filter(({ next }) => next.kind === 'put_back').map(({ requestId }) => requestId);
  const moved = plans.flatMap(({ requestId, next }) =>
    next.kind === 'next_channel' ? [{ requestId, ...next.channel }] : [],
  );
  const kept = plans.flatMap(({ requestId, next }) =>
    next.kind === 'keep' ? [{ requestId, seconds: next.secondsMax }] : [],
  );
  if (kept.length > 0)
    await sql`
      update work_queue set channel_until = case when channel = 'entry' then null
          else channel_entered_at + make_interval(secs => kept.seconds) end,
        lease = null, leased_at = null, leased_until = null
      from unnest(${kept.map(({ requestId }) => requestId)}::text[], ${kept.map(({ seconds }) => seconds)}::float8[])
        as kept (id, seconds)
      where request_id = kept.id and request_id = any (${kept.map(({ requestId }) => requestId)}::text[])`.execute(
      trx,
    );
  if (putBack.length > 0)
    await sql`
      update work_queue set lease = null, leased_at = null, leased_until = null
      where request_id = any (${putBack}::text[])`.execute(trx);
  if (moved.length > 0)
    await sql`
      update work_queue set channel = moved.source, channel_entered_at = now(),
        channel_until = ${channelEnd}(moved.seconds_max, needed_by), attempt_count = 0, waits_since = now(),
        postponed = false,        lease = null, leased_at = null, leased_until = null
      from unnest(
        ${moved.map(({ requestId }) => requestId)}::text[], ${moved.map(({ source }) => source)}::text[],
        ${moved.map(({ secondsMax }) => secondsMax)}::float8[]
      ) as moved (id, source, seconds_max)
      where request_id = moved.id and request_id = any (${moved.map(({ requestId }) => requestId)}::text[])`.execute(
      trx,
    );
  if (putBack.length + kept.length + moved.length > 0)
    await sql`select pg_notify('work_due', '')`.execute(trx);
}
