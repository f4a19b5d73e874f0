import { sql } from 'kysely';

/**
 * Ends a search for one delivery by its own id, which does not tell the month of its request: mostly that of the delivery.
 * The index on (id, request_id) has each month in this order, so the months before the one that has it are not read.
 */
export const NEWEST_MONTH_FIRST = sql`order by request_id desc limit 1`;
