import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // The request row is the verification queue. `entry` is the first channel of the payer's route, whichever that is
  // when the request is claimed: the insert need not know the routes, and requests older than this enter there too.
  sql`alter table request
    add column sandbox boolean not null default false,
    add column channel text not null default 'entry' check (channel in
      ('entry', 'api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal', 'manual_phone_call')),
    add column channel_entered_at timestamptz not null default now(),
    add column channel_until timestamptz,
    add column channel_attempt_count integer not null default 0,
    add column verification_attempt_count integer not null default 0,
    add column work_due_at timestamptz not null default now(),
    add column lease_token uuid,
    add column lease_until timestamptz,
    add check ((lease_token is null) = (lease_until is null)),
    add check (outcome = 'none' or lease_token is null)`,
  sql`update request set sandbox = true from account
    where account.id = request.account_id and account.mode = 'test' and request.outcome = 'none'`,

  // Unfinished requests of one channel of one payer, by account, longest due first. Accounts are in the order of their
  // hash, so that a walk that begins anywhere meets them evenly. No lease column: claims and heartbeats stay HOT.
  sql`create index request_work on request
    (sandbox, payer_id, channel, hashtext(account_id), account_id, work_due_at) where outcome = 'none'`,
  sql`create index request_leased on request (payer_id) where lease_token is not null`,
  sql`create index request_channel_until on request (channel_until)
    where outcome = 'none' and channel_until is not null`,

  sql`create table verification_attempt (
    request_id issued_id not null references request,
    number integer not null check (number > 0),
    account_id issued_id not null, -- the request's
    payer_id text not null,
    channel text check (channel in
      ('api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal', 'manual_phone_call')),
    key_id issued_id,
    started_at timestamptz not null default now(),
    ended_at timestamptz,
    outcome text not null default 'working' check (outcome in
      ('working', 'succeeded', 'failed', 'released', 'lease_expired', 'timed_out', 'superseded')),
    error_reason text,
    result_version integer,
    evidence bytea,
    primary key (request_id, number),
    check ((outcome = 'working') = (ended_at is null))
  )`,
  sql`create index verification_attempt_served on verification_attempt (account_id, started_at)`,
  sql`create index verification_attempt_ended on verification_attempt (ended_at)`,

  // Intake's one statement as a function, since PL/pgSQL keeps its plan for the session. Parsed and planned each time it
  // took the database 1.5 to 2.1 ms of CPU at 8 rows, so 1.0. A prepared statement would keep the plan too, but does not
  // pass PgBouncer's transaction mode. Processes of two versions call it at once during a deployment: a change is a new
  // function with another name. What is of a test account is marked: it never reaches a real verifier or payer.
  sql`create function insert_requests(
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
      select incoming.key_id, incoming.account_id, 'requests.create', inserted.id
      from inserted join incoming on incoming.id = inserted.id
    )
    select id::text, received_at from inserted;
  end $$`,

  // Which channels somebody works. One row a channel of a payer, so never more than a few.
  sql`create table channel_attendance (
    payer_id text,
    channel text,
    claimed_at timestamptz not null default now(),
    primary key (payer_id, channel)
  )`,
];

/** The work queue: where each request stands on its payer's route, who holds it, and what every attempt came to. */
export const workQueue: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
