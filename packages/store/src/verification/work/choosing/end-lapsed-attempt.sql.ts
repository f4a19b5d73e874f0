import { BY_INDEX_ALONE } from '../../../functions/by-index-alone.ts';
import { databaseFunction } from '../../../functions/database-function.ts';

/**
 * Ends the attempt whose lease lapsed, for the one that takes its place: it sees that one already, by its number.
 *
 * A function, so that a claim pays for it only when a lease lapsed: as a part of the claim's statement, which is planned
 * each time, it was planned for every month.
 */
export const endLapsedAttemptFunction = databaseFunction(
  'end_lapsed_attempt',
  (name) => `create function ${name}(of_request text, lapsed_at timestamptz, next_number integer) returns void
  language plpgsql ${BY_INDEX_ALONE} as $$
  begin
    update verification_attempt set ended_at = lapsed_at, outcome = 'lease_expired'
    where request_id = of_request and number < next_number and ended_at is null;
  end $$`,
);
