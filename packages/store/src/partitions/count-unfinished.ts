import type pg from 'pg';

/** What is not done yet about the requests of a month. */
export interface Unfinished {
  /** Requests without a result. */
  readonly requests: number;
  readonly deliveries: number;
  /** Outputs that wait for an operator. */
  readonly heldOutputs: number;
}

/** Counts what is unfinished about requests and deliveries before these ids. It reads what is unfinished alone. */
export async function countUnfinished(
  client: pg.ClientBase,
  requestEnd: string,
  deliveryEnd: string,
): Promise<Unfinished> {
  const { rows } = await client.query<Unfinished>(
    `select (select count(*)::int from work_queue where request_id < $1) as requests,
       (select count(*)::int from delivery_queue where delivery_id < $2 or coalesce(of_request,
         (select request_id from delivery where id = delivery_id order by request_id desc limit 1)) < $1) as deliveries,
       (select count(*)::int from held_output where status = 'held' and request_id < $1) as "heldOutputs"`,
    [requestEnd, deliveryEnd],
  );
  const [unfinished] = rows;
  if (!unfinished) throw new Error('An aggregate without groups has one row.');
  return unfinished;
}
