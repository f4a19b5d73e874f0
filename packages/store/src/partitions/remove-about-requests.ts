import type pg from 'pg';

/** Rows removed by one statement: a few milliseconds. */
const BATCH_COUNT = 1_000;

/**
 * Removes what is about the requests below an id in tables that are not theirs by month: the attempts of their deliveries
 * that are of later months, drafts, settled held outputs, and the places in the queues that somebody may have asked for
 * meanwhile. The requests are detached before, so none of it is written again; their deliveries are not, for they tell
 * the attempts. What a stranger's output only names, and nobody settled, waits for an operator still.
 * @param deliveryEnd the lowest delivery whose attempts are of a later month; those of before go with their table.
 */
export async function removeAboutRequests(
  client: pg.ClientBase,
  requestEnd: string,
  deliveryEnd: string,
): Promise<void> {
  for (let last: string | null = deliveryEnd; last !== null;) {
    const batch: pg.QueryResult<{ last: string | null }> = await client.query(
      `with sent as materialized (
         select id from delivery where request_id < $1 and id >= $2 order by id limit ${BATCH_COUNT}
       ), attempts as (
         delete from delivery_attempt using sent where delivery_id = sent.id and delivery_id >= $2
       )
       select max(id) || '0' as last from sent having count(*) = ${BATCH_COUNT}`,
      [requestEnd, last],
    );
    last = batch.rows[0]?.last ?? null;
  }
  await client.query(
    `delete from delivery_queue where of_request < $1
       or of_request is null and delivery_id in (select id from delivery where request_id < $1 and done_at is null)`,
    [requestEnd],
  );
  await client.query('delete from work_queue where request_id < $1', [requestEnd]);
  await client.query('delete from draft where request_id < $1', [requestEnd]);
  await client.query('delete from erasure_later where request_id < $1', [requestEnd]);
  for (let count = BATCH_COUNT; count === BATCH_COUNT;) {
    const { rowCount } = await client.query(
      `delete from held_output where id = any (array(
         select held.id::text from held_output held
         where coalesce(held.request_id, held.named_request_id) < $1 and held.status <> 'held'
         order by held.id limit ${BATCH_COUNT} for update
       ))`,
      [requestEnd],
    );
    count = rowCount ?? 0;
  }
}
