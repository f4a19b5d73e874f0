import type { OperationName } from '@insurance-verification/schema';
import { databaseFunction } from '../functions/database-function.ts';

const OPERATION: OperationName = 'requests.create';

/**
 * Requests, their idempotency keys and their access log lines in one statement. What is of a test account is marked: it
 * never reaches a real verifier or payer.
 */
export const insertRequestsFunction = databaseFunction(
  'insert_requests',
  (name) => `create function ${name}(
    ids text[], account_ids text[], key_ids text[], payer_ids text[], payer_names text[], inputs bytea[],
    idempotency_keys bytea[], body_digests bytea[]
  ) returns table (id text, received_at timestamptz) language plpgsql as $$
  #variable_conflict use_column
  begin return query
    with incoming as (
      select * from unnest(ids, account_ids, key_ids, payer_ids, payer_names, inputs, idempotency_keys, body_digests)
        as incoming (id, account_id, key_id, payer_id, payer_name, input, idempotency_key, body_digest)
    ), keyed as (
      insert into idempotency_key (account_id, key, body_digest, request_id)
      select account_id, idempotency_key, body_digest, id from incoming where idempotency_key is not null
      order by account_id, idempotency_key -- two lists with the same keys must not wait for each other in a circle
      on conflict (account_id, key) do nothing
      returning request_id
    ), inserted as (
      insert into request (id, account_id, payer_id, payer_name, input, sandbox)
      select incoming.id, account_id, payer_id, payer_name, input, account.mode = 'test'
      from incoming join account on account.id = incoming.account_id
      where idempotency_key is null or incoming.id in (select request_id from keyed)
      returning id, account_id, received_at
    ), logged as (
      insert into access_log (key_id, account_id, operation, request_id)
      select incoming.key_id, incoming.account_id, '${OPERATION}', inserted.id
      from inserted join incoming on incoming.id = inserted.id
    )
    select id::text, received_at from inserted;
  end $$`,
);
