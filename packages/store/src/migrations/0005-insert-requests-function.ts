import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Intake's one statement as a function, since PL/pgSQL keeps its plan for the session. Parsed and planned each time it
 * took the database 1.5 to 2.1 ms of CPU at 8 rows, so 1.0. A prepared statement would keep the plan too, but does not
 * pass PgBouncer's transaction mode.
 *
 * Processes of two versions call it at once during a deployment: a change is a new function with another name.
 */
export const insertRequestsFunction: Migration = {
  up: async (db) => {
    await sql`create function insert_requests(
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
        insert into request (id, account_id, payer_id, payer_name, input)
        select id, account_id, payer_id, payer_name, input from incoming
        where idempotency_key is null or id in (select request_id from keyed)
        returning id, account_id, received_at
      ), logged as (
        insert into access_log (key_id, account_id, operation, request_id)
        select incoming.key_id, incoming.account_id, 'requests.create', inserted.id
        from inserted join incoming on incoming.id = inserted.id
      )
      select id::text, received_at from inserted;
    end $$`.execute(db);
  },
};
