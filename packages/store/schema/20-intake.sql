-- Requests as posted, and their state, which follows from two facts: the outcome, and whether the result was delivered.

create table request (
  id              issued_id   primary key,
  account_id      issued_id   not null references account,
  payer_id        text        not null,
  payer_name      text        not null,                     -- as posted
  input           bytea       not null,                     -- encrypted `RequestInfo` as received; empty once erased
  received_at     timestamptz not null default now(),
  sandbox         boolean     not null default false,       -- of a test account: no live verifier or payer sees it
  member_index    bigint      not null,                     -- finds requests by exact member id; 0: no member id
  npi_index       bigint      not null default 0,           -- the same for the provider's NPI
  service_date    bytea,                                    -- encrypted `YYYY-MM-DD` to verify; null: the day of asking
  gender          bytea,                                    -- encrypted `F`, `M` or `U` for inquiries over X12; null: not given
  needed_by       timestamptz check (isfinite(needed_by)),  -- when its account needs the first result; null: not given
  version         integer     not null default 0,           -- of the current result; 0 before the first
  outcome         request_outcome not null default 'none',
  outcome_reason  bytea,                                    -- encrypted; null unless error_verifying
  channel         queue_name,                               -- in which it ended; null: not yet, see work_queue
  delivery        request_delivery not null default 'none',
  delivery_reason text,                                     -- null unless exhausted
  undelivered     boolean     generated always as (delivery = 'exhausted') stored,
  progress        bytea,                                    -- encrypted: the latest output that reports progress
  progress_at     timestamptz,
  event_count     integer     not null default 0,           -- numbers its events
  overdue_at      timestamptz,                              -- when its event `request.overdue` was written
  erased_at       timestamptz,                              -- when its encrypted values were deleted, here and in other tables
  erased_reason   text,                                     -- the slug of outcome_reason once that is erased; null: free text
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
create index request_overdue  on request (needed_by) where needed_by is not null and outcome = 'none' and overdue_at is null
  and erased_at is null;
create index request_needed   on request ((greatest(needed_by, received_at))) where needed_by is not null;

-- An `Idempotency-Key`, kept for 48 hours even if its request is erased: the same post creates no second request.
create table idempotency_key (
  account_id  issued_id   references account,
  key         bytea,                                                   -- HMAC of the key
  body_digest bytea       not null,                                    -- HMAC of the posted body; empty once erased
  request_id  issued_id   not null references request deferrable initially deferred, -- inserted later in the same transaction
  created_at  timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- Requests that could not be erased yet when `account.erased_through` passed them.
create table erasure_later (
  account_id issued_id   references account,
  request_id issued_id   references request,
  since      timestamptz not null,                                     -- counts as their end: erased one retention later
  primary key (account_id, request_id)
);
create index erasure_later_since on erasure_later (account_id, since);

-- Requests to erase before their retention ends. The row remains as the request's tombstone.
create table erasure (
  id            issued_id   primary key,
  request_id    issued_id   not null unique references request,
  reason        text        not null check (reason in ('wrong_patient', 'wrong_recipient', 'posted_twice', 'patient_asked',
                              'not_authorized')),
  asked_at      timestamptz not null default now(),                    -- can be confirmed for seven days
  asked_by      issued_id   not null,                                  -- a key or a person
  asked_in      issued_id[],                                           -- see two-people.ts
  enrolled_by   issued_id[],
  wrong_count   smallint    not null default 0,                        -- wrong confirmations since then; it lapses after five
  confirmed_by  issued_id,                                             -- a person; null until it is erased
  erased_at     timestamptz,                                           -- the certificate is in the audit
  mac           text        not null default '',
  constraint erasure_confirmed check ((confirmed_by is null) = (erased_at is null))
);
create index erasure_erased_at on erasure (erased_at) where erased_at is not null;

-- Until it ends, nothing of the request is erased, or of the whole account if it names no request.
create table legal_hold (
  id         issued_id   primary key,
  request_id issued_id   references request,
  account_id issued_id   not null references account,                  -- the request's, if it names one
  reason     bytea       not null,                                     -- encrypted text, as a JSON string; empty once erased
  placed_at  timestamptz not null default now(),
  placed_by  issued_id   not null,                                     -- a key or a person
  ended_at   timestamptz,
  ended_by   issued_id,
  mac        text        not null default '',
  constraint legal_hold_end check ((ended_at is null) = (ended_by is null))
);
create index legal_hold_request on legal_hold (request_id) where request_id is not null;
create index legal_hold_account on legal_hold (account_id, request_id);
