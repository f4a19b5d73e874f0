-- The tables of the service, for PostgreSQL 15 and later, in reading order: `cat schema/*.sql | psql -1 -v ON_ERROR_STOP=1`.
-- A `bytea` is a digest, or encrypted by `Vault.encrypt` (AES-256-GCM); no other column describes a patient.
-- A row with a `mac` grants access, allows an erasure (see covered-columns.ts) or is posted (see event-mac.ts); with a
-- wrong one it counts as absent.
-- Times are by the database's clock. The functions that operations call are with their operations, in `*.sql.ts`.

create domain issued_id as text collate "C"; -- a TypeID: a prefix, `_`, and a UUIDv7 in base32; sorts by time of issue

-- The types of the columns that each request writes. They are domains because PostgreSQL parses a table's CHECK for every
-- statement, and a domain's once a session.
create domain pool             as text check (value in ('live', 'sandbox', 'test', 'canceled')); -- who may claim it: see `Pool`
create domain channel          as text check (value in ('api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal',
                                 'manual_phone_call'));
create domain queue_name       as text check (value in ('entry', 'api', 'agent_web_portal', 'agent_phone_call',
                                 'manual_web_portal', 'manual_phone_call')); -- entry: before the first channel of its route
create domain request_outcome  as text check (value in ('none', 'complete', 'error_verifying'));
create domain request_delivery as text check (value in ('none', 'pending', 'delivered', 'exhausted'));
create domain attempt_outcome  as text check (value in ('working', 'succeeded', 'failed', 'released', 'lease_expired',
                                 'timed_out', 'superseded', 'held', 'call_back'));
create domain result_outcome   as text check (value in ('complete', 'error_verifying'));
create domain delivery_status  as text check (value in ('pending', 'delivered', 'exhausted', 'superseded', 'erased'));
create domain sending_outcome  as text check (value in ('succeeded', 'http_error', 'redirected', 'gone', 'timeout',
                                 'connection_failed', 'tls_failed', 'dns_failed', 'blocked_address', 'worker_lost'));
create domain access_outcome   as text check (value in ('done', 'refused'));
create domain hold_reason      as text check (value in ('untrusted', 'unmatched', 'input_mismatch', 'superseding',
                                 'agent_result'));
create domain ordinal          as integer check (value > 0);  -- counted from 1
create domain tally            as integer check (value >= 0); -- a count
create domain retention_days   as integer check (value between 3 and 3650);

-- The schema of this database, in one row. A service with another digest does not touch it.
create table schema_version (
  id     boolean     primary key default true check (id),
  digest text        not null,                            -- SHA-256 of the files of this folder, in hexadecimal
  build  text        not null,                            -- the build that created the tables: a commit, or part of the digest
  at     timestamptz not null default now()
);
