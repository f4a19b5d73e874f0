import { type RawBuilder, sql } from 'kysely';

/**
 * The number of a request's next attempt, as an expression. Whoever writes an attempt has locked the request's place in
 * the queue, or a finished request itself, so no two take the same.
 */
export const nextAttemptNumber = (requestId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select coalesce(max(number), 0) + 1 from verification_attempt as earlier
    where earlier.request_id = ${requestId})`;
