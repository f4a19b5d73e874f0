/**
 * Bounds a partitioned table to the rows of a list by their id, in a function that has the list's lowest and highest id as
 * `first_id` and `last_id`: these choose the partitions when the statement begins. The list itself keeps the planner from
 * reading everything between the two, which seems little while a month has no statistics.
 */
export const among = (key: string, ids: string): string =>
  `${key} = any (${ids}) and ${key} between first_id and last_id`;

/**
 * Joins such rows to those of the list. By an equal id the statement would open every partition first and choose row by
 * row: with 24 months that doubled the CPU of a result.
 *
 * The array hides the equality from the planner, which would choose row by row as well. Both ways in one statement that
 * waits for a row end a PostgreSQL 18.4 with a segmentation fault: a recheck renumbers the chosen partitions twice.
 */
export const byId = (key: string, id: string, ids: string): string =>
  `${isId(key, id)} and ${among(key, ids)}`;

const isId = (key: string, id: string) => `${key} = any (array[${id}] || '{}')`;

/**
 * The condition on a request in a subquery for one row of the list, which joins more than a few rows sooner than `byId`:
 * there each row of the list is compared with every request of it.
 */
export const theRequest = (id: string): string =>
  `${isId('request.id', id)} and request.id between first_id and last_id`;

/**
 * Joins requests that an earlier statement locked, by where they were then: without a look into an index. In the statement
 * that waits for the lock, what came of the wait would not be seen.
 *
 * Arrays that are the list need a limit, if only their own length: with one the planner expects a single row, and reads it
 * at its place. For ten it would rather read all between the first and the last id, which seem few in a small month.
 */
export const theLocked = (of: string): string =>
  `request.tableoid = ${of}.request_table and request.ctid = ${of}.request_place
        and request.id between first_id and last_id`;

/**
 * Joins the row of `work_queue` to its request. By plain equality a plan from a time when little waited would begin with
 * the queue, and read all of it.
 */
export const itsWork = (of: string): string =>
  `${isId('work_queue.account_id', `${of}.account_id::text`)}
        and ${isId('work_queue.request_id', `${of}.id::text`)}`;

/** Joins the row of `delivery_queue` to its delivery, in the same way. */
export const itsPlace = (id: string): string => isId('delivery_queue.delivery_id', `${id}::text`);
