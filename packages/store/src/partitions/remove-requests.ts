import type pg from 'pg';

/** Requests removed by one statement: a few milliseconds, in which none of them is read. */
const BATCH_COUNT = 1_000;

/**
 * Removes requests below an id that are in the table of a later month, with what is about them in tables that are not
 * divided by months, and the attempts of their deliveries in later months. Results, which were divided before requests,
 * may have a month that the first table of requests holds beside the next one.
 *
 * Locked as everywhere, or two could wait for each other: a request, its delivery's row in the queue, its delivery.
 * @param deliveryEnd the lowest delivery whose attempts are of a later month; those of before go with their table.
 */
export async function removeRequests(
  client: pg.ClientBase,
  requestEnd: string,
  deliveryEnd: string,
): Promise<void> {
  for (let count = BATCH_COUNT; count === BATCH_COUNT;) {
    const { rowCount } = await client.query(
      `with gone as materialized (select id from request where id < $1 order by id limit ${BATCH_COUNT} for update),
       queued as (
         delete from delivery_queue using gone join delivery on delivery.request_id = gone.id
         where delivery_queue.delivery_id = delivery.id returning delivery_queue.delivery_id
       ),
       sent as (
         delete from delivery using gone
         where delivery.request_id = gone.id and delivery.request_id < $1 and (select count(*) from queued) >= 0
         returning delivery.id
       ),
       attempts as (delete from delivery_attempt using sent where delivery_id = sent.id and delivery_id >= $2),
       drafts as (delete from draft using gone where draft.request_id = gone.id)
       delete from request using gone where request.id = gone.id`,
      [requestEnd, deliveryEnd],
    );
    count = rowCount ?? 0;
  }
}
