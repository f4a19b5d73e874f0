import { sql } from 'kysely';

/**
 * The existing request that a held output names; null for none. An anonymous sender's claim is resolved only when an
 * operator reads it: resolving it on arrival would reveal to the sender whether the request exists.
 */
export const namedRequest = sql<string | null>`coalesce(held_output.request_id,
  (select request.id from request where request.id = held_output.named_request_id))`;
