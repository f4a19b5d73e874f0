import { sql } from 'kysely';

/**
 * The request of ours that a held output names, null for none. What an anonymous sender claims is looked up here, when
 * an operator asks, and not when it came: looking it up would tell the sender that there is such a request.
 */
export const namedRequest = sql<string | null>`coalesce(held_output.request_id,
  (select request.id from request where request.id = held_output.named_request_id))`;
