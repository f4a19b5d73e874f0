import { among, byId } from '../functions/by-id.ts';
import { BY_INDEX_ALONE } from '../functions/by-index-alone.ts';
import { databaseFunction } from '../functions/database-function.ts';

/**
 * See `readNamedRequests`. Planned for each call, the statement took the database 0.7 ms, of which it ran for 0.06.
 */
export const readNamedRequestsFunction = databaseFunction(
  'read_named_requests',
  (name) => `create function ${name}(request_ids text[], first_id text, last_id text) returns table (
    id text, account_id text, payer_id text, input bytea, received_at timestamptz, version integer, channel text,
    verification_attempt_count integer, lease_token uuid, standing_digest bytea
  ) language plpgsql stable ${BY_INDEX_ALONE} as $$
  #variable_conflict use_column
  begin
    return query
    select request.id::text, request.account_id::text, request.payer_id, request.input, request.received_at,
      request.version, request.channel, request.verification_attempt_count, request.lease_token, result.digest
    from request
    left join result on ${byId('result.request_id', 'request.id', 'request_ids')}
      and result.version = request.version
    where ${among('request.id', 'request_ids')} and request.erased_at is null; -- of an erased one nothing is left
  end $$`,
);
