-- The audit: who did or read what. Append-only. Every ten seconds a signed seal covers the entries since the last one.

create sequence access_log_id;

-- Partitioned by id, one partition a month, which `iv audit drop` may drop. make-months.ts creates them ahead of time. The
-- ids of a month start at a number of its own, so that each partition has only its month's entries.
create table access_log (
  id         bigint      primary key default nextval('access_log_id'),
  at         timestamptz not null default now(),                       -- when its transaction began; the service never sets it
  key_id     issued_id,                                                -- a key, a person, or a worker of the service
  account_id issued_id,                                                -- of the actor
  operation  text        not null,
  request_id issued_id,
  subject_id issued_id,                                                -- the other object of the operation: an account, a held output …
  actor_name text,                                                     -- a JSON string, as it was then; null: no name
  session_id issued_id,                                                -- of the person; null for a key
  address    text,                                                     -- of the client; null: unknown, or on the machine itself
  emergency  boolean     not null default false,                       -- during emergency access
  outcome    access_outcome not null default 'done',                   -- `refused`: denied
  details    text,                                                     -- JSON: what was set, before and after; never a patient's data
  request_ids         text[],                                          -- of a list with several; request_id is then null
  request_account_ids text[]                                           -- the accounts of these requests, each once; null: no request
) partition by range (id);
create index access_log_request on access_log (request_id, id) where request_id is not null;
create index access_log_listed  on access_log using gin (request_ids) where request_ids is not null;
-- Partial: the entries of all other operations cost only a comparison.
create index access_log_hold    on access_log (operation, subject_id) where operation in ('holds.place', 'holds.end');
create index access_log_sign_in on access_log (subject_id) where operation = 'sessions.signIn';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_argv[0];
end $$;
create trigger access_log_append_only before update or delete or truncate on access_log
  for each statement execute function refuse_change('access_log');

create table access_log_later partition of access_log for values from (minvalue) to (maxvalue)
  with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create trigger access_log_append_only before update or delete or truncate on access_log_later
  for each statement execute function refuse_change('access_log');

-- What a person's session has read, for 15 minutes from the first time: a page that repeats a read adds no entry. Unlogged,
-- since a crash only costs a repeated entry.
create unlogged table look (
  session_id  issued_id,
  operation   text,
  asked       bytea,                                                   -- HMAC of the query and of the caller's access
  began_at    timestamptz not null default now(),
  request_ids text[]      not null,                                    -- read since then
  primary key (session_id, operation, asked)
);

create table audit_seal (
  number     bigint      primary key,
  last_id    bigint      not null unique,                              -- entries up to this id are sealed
  edge       bytea       not null,                                     -- of the Merkle tree, after its last entry
  sealed_at  timestamptz not null,                                     -- as in its note, like settled_at
  settled_at timestamptz,                                              -- older entries are in this seal or an earlier one; null: unknown
  note       text        not null                                      -- the signed note, with everything else about the seal
);
create index audit_seal_sealed_at  on audit_seal (sealed_at, number);
create index audit_seal_settled_at on audit_seal (settled_at, number);
create trigger audit_seal_append_only before update or delete or truncate on audit_seal
  for each statement execute function refuse_change('audit_seal');

-- Months of the log that were dropped, each with a signed note.
create table audit_drop (
  number      bigint primary key,
  seal_number bigint not null,                                         -- the newest seal at its signature
  note        text   not null                                          -- the signed note, with everything else about the drop
);
create trigger audit_drop_append_only before update or delete or truncate on audit_drop
  for each statement execute function refuse_change('audit_drop');
