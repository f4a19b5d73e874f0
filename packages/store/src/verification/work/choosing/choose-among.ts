import { type RawBuilder, sql } from 'kysely';
import { askedQueues, type WorkChoice } from './choose-work.ts';

/**
 * As `chooseWork`, for a verifier who is kept to some accounts, of whom there are few: each of them is looked at in each
 * queue, so the walk over all accounts is not needed.
 */
export function chooseAmong(
  { limit, spareCount, ...asked }: WorkChoice,
  accountIds: readonly string[],
): RawBuilder<unknown> {
  const rowsMax = limit + spareCount;
  return sql`(
    with candidate as (
      select waiting.id, waiting.turn_at, queue.payer_id, queue.queue, queue.channel, queue.seconds_max,
        queue.attempt_count_max, queue.room, served.served_at,
        row_number() over (partition by account.id order by waiting.ready_at, waiting.turn_at, waiting.id) as turn
      from ${askedQueues(asked)} as queue
      cross join unnest(${accountIds}::text[]) as account (id)
      left join account_served as served on served.account_id = account.id
      cross join lateral (
        select request_id as id, ready_at, turn_at from work_queue
        where pool = ${asked.pool} and work_queue.payer_id = queue.payer_id and work_queue.channel = queue.queue
          and hashtext(account_id) = hashtext(account.id) and account_id = account.id and ready_at <= now()
          and (queue.queue <> queue.channel or attempt_count < queue.attempt_count_max)
        order by ready_at, turn_at limit ${rowsMax}
      ) as waiting
      where queue.room is null or queue.room > 0
    ), ranked as (
      select *, row_number() over (order by turn, served_at nulls first, turn_at, id) as place,
        row_number() over (partition by payer_id order by turn, served_at nulls first, turn_at, id) as payer_place,
        count(*) over () as candidate_count
      from candidate
    )
    select * from ranked where payer_place <= coalesce(room, payer_place) and place <= ${rowsMax}
  )`;
}
