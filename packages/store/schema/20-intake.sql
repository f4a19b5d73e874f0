-- Requests as they were posted, and what is true of each now. Two facts make a request's state: its outcome, and whether
-- its result was delivered.

create table request (
  id              issued_id   primary key,
  account_id      issued_id   not null references account,
  payer_id        text        not null,
  payer_name      text        not null,                     -- as it was posted
  input           bytea       not null,                     -- sealed `RequestInfo` as received; empty once erased
  received_at     timestamptz not null default now(),
  sandbox         boolean     not null default false,       -- of a test account: no live verifier and no payer sees it
  member_index    bigint      not null,                     -- an exact member id is looked up by it; 0: none
  npi_index       bigint      not null default 0,           -- as member_index, of the provider's NPI
  service_date    bytea,                                    -- sealed `YYYY-MM-DD` to ask about; null: the day of asking
  needed_by       timestamptz check (isfinite(needed_by)),  -- when its account needs the first result; null: not said
  version         integer     not null default 0,           -- of the result that stands; 0 before the first
  outcome         request_outcome not null default 'none',
  outcome_reason  bytea,                                    -- sealed; null unless error_verifying
  channel         queue_name,                               -- in which it ended; null: see work_queue
  delivery        request_delivery not null default 'none',
  delivery_reason text,                                     -- null unless exhausted
  undelivered     boolean     generated always as (delivery = 'exhausted') stored,
  progress        bytea,                                    -- sealed: the latest output that reports progress
  progress_at     timestamptz,
  erased_at       timestamptz,                              -- since when its sealed values are gone, here and elsewhere
  erased_reason   text,                                     -- the slug of its error, once the sealed reason is gone
  constraint request_version_of_outcome check (case outcome when 'none' then version = 0 else version > 0 end),
  constraint request_channel_of_outcome check ((outcome = 'none') = (channel is null)),
  constraint request_delivers_outcome   check (outcome <> 'none' or delivery = 'none'),
  constraint request_delivery_reason    check ((delivery = 'exhausted') = (delivery_reason is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index request_listed   on request (account_id, outcome, undelivered, id desc) where outcome <> 'none';
create index request_member   on request (member_index);
create index request_npi      on request (npi_index, id);
create index request_cut_off  on request (account_id, id desc) where outcome = 'none' and erased_at is not null;
create index request_counting on request using brin (received_at) with (pages_per_range = 32, autosummarize = on);
create index request_needed   on request ((greatest(needed_by, received_at))) where needed_by is not null;

-- An `Idempotency-Key`, kept for 48 hours, also of a request that is erased meanwhile: a repeat of its post makes no other.
create table idempotency_key (
  account_id  issued_id   references account,
  key         bytea,                                                   -- HMAC of the key
  body_digest bytea       not null,                                    -- HMAC of the body that came with it; empty once erased
  request_id  issued_id   not null references request deferrable initially deferred, -- written behind it
  created_at  timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- Requests that were not old enough to be erased when their account's turn came.
create table erasure_later (
  account_id issued_id   references account,
  request_id issued_id   references request,
  since      timestamptz not null,                                     -- they end no earlier
  primary key (account_id, request_id)
);
create index erasure_later_since on erasure_later (account_id, since);

-- What was asked to be erased before its retention ends. A row stays as the tombstone of its request.
create table erasure (
  id            issued_id   primary key,
  request_id    issued_id   not null unique references request,
  reason        text        not null check (reason in ('wrong_patient', 'wrong_recipient', 'posted_twice', 'patient_asked',
                              'not_authorized')),
  asked_at      timestamptz not null default now(),                    -- it can be confirmed for seven days
  asked_by      issued_id   not null,                                  -- a key or a person
  asked_in      issued_id[],                                           -- see src/access/two-people.ts
  enrolled_by   issued_id[],
  wrong_count   smallint    not null default 0,                        -- wrong endings since then; after five it lapses
  confirmed_by  issued_id,                                             -- a person; null until it is erased
  erased_at     timestamptz,                                           -- its certificate is in the audit
  mac           text        not null default '',
  constraint erasure_confirmed check ((confirmed_by is null) = (erased_at is null))
);

-- While it stands, nothing of the request, or of the account, is erased.
create table legal_hold (
  id         issued_id   primary key,
  request_id issued_id   references request,
  account_id issued_id   not null references account,                  -- of the request, where it is about one
  reason     bytea       not null,                                     -- sealed text, as a JSON string; empty once erased
  placed_at  timestamptz not null default now(),
  placed_by  issued_id   not null,                                     -- a key or a person
  ended_at   timestamptz,
  ended_by   issued_id,
  mac        text        not null default '',
  constraint legal_hold_end check ((ended_at is null) = (ended_by is null))
);
create index legal_hold_request on legal_hold (request_id) where request_id is not null;
create index legal_hold_account on legal_hold (account_id, request_id);
