-- Who did or saw what. Lines are only added; each ten seconds a seal is signed over what came since the last one.

create sequence access_log_id;

-- Divided by id into one part a month, which `iv audit drop` may drop whole: see src/months/make-months.ts, which makes
-- them ahead of time. Ids of a new month begin at a number of its own, so that no part has a line of another's time.
create table access_log (
  id         bigint      primary key default nextval('access_log_id'),
  at         timestamptz not null default now(),                       -- the start of its transaction; the service never gives it
  key_id     issued_id,                                                -- a key, a person, or a worker of the service
  account_id issued_id,                                                -- of the actor
  operation  text        not null,
  request_id issued_id,
  subject_id issued_id,                                                -- whatever else was acted upon: an account, a held output
  actor_name text,                                                     -- a JSON string, as it was then; null without one
  session_id issued_id,                                                -- of the person; null for a key
  address    text,                                                     -- of the client; null when unknown, and at the machine itself
  emergency  boolean     not null default false,                       -- in an hour of emergency access
  outcome    access_outcome not null default 'done',                   -- `refused`: denied
  details    text,                                                     -- JSON: what was set, before and after; never of a patient
  request_ids         text[],                                          -- of a list, where they are several; request_id is null then
  request_account_ids text[]                                           -- of the request, or of all of a list, each once; null for none
) partition by range (id);
create index access_log_request on access_log (request_id, id) where request_id is not null;
create index access_log_listed  on access_log using gin (request_ids) where request_ids is not null;
-- Few lines are of these operations, so the other lines pay a comparison each.
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

-- What a person's session reads, for 15 minutes from its first reading: one that a page repeats leaves no other line. A
-- crash may forget it, which costs a line.
create unlogged table look (
  session_id  issued_id,
  operation   text,
  asked       bytea,                                                   -- HMAC of what was asked for, and as whom
  began_at    timestamptz not null default now(),
  request_ids text[]      not null,                                    -- seen since then
  primary key (session_id, operation, asked)
);

create table audit_seal (
  number     bigint      primary key,
  last_id    bigint      not null unique,                              -- lines up to it are sealed
  edge       bytea       not null,                                     -- the tree's edge behind its last line
  sealed_at  timestamptz not null,                                     -- as its note has it, like the next
  settled_at timestamptz,                                              -- lines written before are in it or an earlier one; null: unknown
  note       text        not null                                      -- the signed note; all else about the seal is in it
);
create index audit_seal_sealed_at  on audit_seal (sealed_at, number);
create index audit_seal_settled_at on audit_seal (settled_at, number);
create trigger audit_seal_append_only before update or delete or truncate on audit_seal
  for each statement execute function refuse_change('audit_seal');

-- Months of the log that were dropped by name, signed off.
create table audit_drop (
  number      bigint primary key,
  seal_number bigint not null,                                         -- the newest seal when it was signed
  note        text   not null                                          -- the signed note; all else about the drop is in it
);
create trigger audit_drop_append_only before update or delete or truncate on audit_drop
  for each statement execute function refuse_change('audit_drop');
