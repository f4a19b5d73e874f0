-- The tables of the service, for PostgreSQL 15 and later, in reading order: `cat schema/*.sql | psql -1 -v ON_ERROR_STOP=1`.
-- Whatever is `bytea` is sealed (AES-256-GCM, see apps/docs/guarantees.md) or a digest; nothing else describes a patient.
-- A row with a `mac` gives power: where that is wrong, the row counts as absent (see src/row-macs/covered-columns.ts).
-- Times are the database's own clock. Functions that operations call are not here: they stand beside their operation.

create domain issued_id as text collate "C"; -- a TypeID: a prefix, `_`, and a UUIDv7 in base32. It sorts by the time of issue

-- The words and counts of the columns that each request writes. Domains: PostgreSQL reads a CHECK of a table again for every
-- statement, and one of a domain once.
create domain pool             as text check (value in ('live', 'sandbox', 'test')); -- who may take it: see `Pool`
create domain channel          as text check (value in ('api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal',
                                 'manual_phone_call'));
create domain queue_name       as text check (value in ('entry', 'api', 'agent_web_portal', 'agent_phone_call',
                                 'manual_web_portal', 'manual_phone_call')); -- of a channel; entry: the first of its route
create domain request_outcome  as text check (value in ('none', 'complete', 'error_verifying'));
create domain request_delivery as text check (value in ('none', 'pending', 'delivered', 'exhausted'));
create domain attempt_outcome  as text check (value in ('working', 'succeeded', 'failed', 'released', 'lease_expired',
                                 'timed_out', 'superseded', 'held'));
create domain result_outcome   as text check (value in ('complete', 'error_verifying'));
create domain delivery_status  as text check (value in ('pending', 'delivered', 'exhausted', 'superseded', 'erased'));
create domain sending_outcome  as text check (value in ('succeeded', 'http_error', 'redirected', 'gone', 'timeout',
                                 'connection_failed', 'tls_failed', 'dns_failed', 'blocked_address', 'worker_lost'));
create domain access_outcome   as text check (value in ('done', 'refused'));
create domain hold_reason      as text check (value in ('untrusted', 'unmatched', 'input_mismatch', 'superseding',
                                 'agent_result'));
create domain ordinal          as integer check (value > 0);  -- counted from 1
create domain tally            as integer check (value >= 0); -- how many
create domain retention_days   as integer check (value between 3 and 3650);

-- Which schema this is. One row; a service that knows another digest leaves the database alone.
create table schema_version (
  id     boolean     primary key default true check (id),
  digest text        not null,                            -- SHA-256 of the files of this folder, in hexadecimal
  build  text        not null,                            -- what made the tables: a commit, or a version
  at     timestamptz not null default now()
);
