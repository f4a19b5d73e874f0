import { databaseFunction } from '../../../functions/database-function.ts';

/**
 * The queues to take from, given as lists, and how many more leases each one's payer allows; null for any number. Plain
 * SQL, which is planned as a part of the statement that asks.
 */
export const askedQueuesFunction = databaseFunction(`
  create function asked_queues(
    payer_ids text[], queues text[], channels text[], attempt_counts_max integer[], seconds float8[],
    in_flight_counts_max integer[], of_pool text
  ) returns table (
    payer_id text, queue text, channel text, attempt_count_max integer, seconds_max float8, in_flight_count_max integer,
    room bigint
  ) language sql stable as $$
    select asked.*, asked.in_flight_count_max - (
        select count(*) from work_queue waiting
        where waiting.payer_id = asked.payer_id and waiting.leased_until > now() and waiting.pool = of_pool
          and asked.in_flight_count_max is not null
      )
    from unnest(payer_ids, queues, channels, attempt_counts_max, seconds, in_flight_counts_max)
      as asked (payer_id, queue, channel, attempt_count_max, seconds_max, in_flight_count_max)
  $$`);
