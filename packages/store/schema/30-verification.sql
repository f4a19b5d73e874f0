-- The queue of unfinished requests, the attempts to verify them, exchanges with payers, and drafts.

-- One row for each unfinished request, which is also its lease: claim, heartbeat and release write only this row.
create table work_queue (
  request_id         issued_id   primary key references request,
  account_id         issued_id   not null,
  pool               pool        not null,                             -- who may claim it
  payer_id           text        not null,
  channel            queue_name  not null default 'entry',
  channel_entered_at timestamptz not null default now(),
  channel_until      timestamptz,                                      -- when the channel's time ends; null in `entry`: by its route
  attempt_count      tally       not null default 0,                   -- in this channel, not counting released ones
  needed_by          timestamptz,                                      -- copied from the request
  batch_id           issued_id,                                        -- the batch that it came in; null: none
  waits_since        timestamptz not null default now(),
  postponed          boolean     not null default false,               -- waits_since is in the future: not claimable before
  call_back_at       timestamptz,                                      -- when to call the payer back; null: no call-back
  call_back_by       issued_id,                                        -- the person or key that planned it; null once that has ended
  call_back_is_own   boolean     not null default false,               -- only who planned it may make it, until waits_since
  returns_to_api     boolean     not null default false,               -- it left that channel only since the payer was down
  lease              uuid,                                             -- the fencing token; null: not leased
  leased_at          timestamptz,                                      -- when it was claimed or last renewed
  leased_until       timestamptz,                                      -- may be past: the lease has expired
  ready_at           timestamptz generated always as (case when postponed or leased_until is not null
                                   then greatest(waits_since, leased_until) else '-infinity' end) stored,
  turn_at            timestamp   generated always as (coalesce(needed_by at time zone 'UTC', waits_since at time zone 'UTC'
                                   + interval '1 day') + case when batch_id is null then interval '0'
                                   else interval '10000 years' end) stored, -- the order within an account: batches last
  constraint work_queue_lease     check (num_nulls(lease, leased_at, leased_until) in (0, 3)),
  constraint work_queue_postponed check (not postponed or lease is null),
  constraint work_queue_call_back check (call_back_by is null or call_back_at is not null),
  constraint work_queue_call_back_own check (not call_back_is_own or call_back_by is not null)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 50000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000,
  autovacuum_vacuum_cost_delay = 0);
create index work_queue_account      on work_queue (account_id, request_id);
create index work_queue_order        on work_queue (pool, payer_id, channel, hashtext(account_id), account_id, ready_at, turn_at);
create index work_queue_entered      on work_queue (payer_id, hashtext(account_id), account_id, waits_since)
  where pool = 'live' and channel = 'entry';
create index work_queue_leased       on work_queue (payer_id, leased_until, pool) where leased_until is not null;
create index work_queue_leased_at    on work_queue (leased_at)               where leased_at is not null;
create index work_queue_channel_over on work_queue (payer_id, channel_until) where channel_until is not null;
create index work_queue_call_back    on work_queue (call_back_at)            where call_back_at is not null;
create index work_queue_call_back_by on work_queue (call_back_by)            where call_back_by is not null;
create index work_queue_batch        on work_queue (batch_id, request_id)     where batch_id is not null;
create index work_queue_batch_leased on work_queue (payer_id, account_id, leased_until)
  where leased_until is not null and batch_id is not null;
create index work_queue_batch_working on work_queue (batch_id)
  where leased_until is not null and batch_id is not null;
create index work_queue_needed       on work_queue (needed_by)               where needed_by is not null;
create index work_queue_returns      on work_queue (payer_id)                where returns_to_api;

-- When a request of the account was last leased: the account that has waited longest is served first.
create table account_served (
  account_id issued_id   primary key references account,
  served_at  timestamptz not null default now()
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0);

-- When a verifier last tried to claim work of a payer in a channel.
create table channel_attendance (
  payer_id   text,
  channel    channel,
  claimed_at timestamptz not null default now(),
  primary key (payer_id, channel)
);

-- The times in which a payer's API did not answer. An open one is the judgement of all processes: nothing is claimed of
-- the payer in the channel `api` but one request for each probe.
create table payer_outage (
  payer_id      text,
  since         timestamptz,                                           -- its first failure in a row
  found_at      timestamptz not null default now(),
  failure_count tally       not null,                                  -- exchanges in a row without an answer
  next_probe_at timestamptz not null,
  probe_count   tally       not null default 0,
  ended_at      timestamptz,                                           -- null: it lasts
  reported_at   timestamptz,                                           -- of the events `payer.unavailable`; null: not reported
  reported_to   text[]      not null default '{}',                     -- the accounts that have them
  settled       boolean     not null default false,                    -- ended, and its events `payer.recovered` are written
  primary key (payer_id, since),
  constraint payer_outage_end check (ended_at >= since)
);
create unique index payer_outage_open on payer_outage (payer_id) where ended_at is null;
create index payer_outage_unsettled on payer_outage (since) where not settled;

create table verification_attempt (
  request_id     issued_id   references request,
  number         ordinal,                                              -- from 1, over all channels
  account_id     issued_id   not null,
  payer_id       text        not null,
  channel        channel,                                              -- null: an output that names none
  key_id         issued_id,                                            -- a key or a person; null: an output without a key
  lease_hash     bytea,                                                -- SHA-256 of the lease's token; null: no lease
  started_at     timestamptz not null default now(),
  ended_at       timestamptz,
  outcome        attempt_outcome not null default 'working',
  error_reason   text,                                                 -- a slug; a verifier's free text is in evidence
  result_version ordinal,                                              -- of the result that it produced
  corrects       ordinal,                                              -- the attempt whose finding it corrects; null: it asked the payer itself
  decided_at     timestamptz,                                          -- when an operator applied its finding; null: applied as it came, or not
  evidence       bytea,                                                -- encrypted `Evidence`
  on_call_until  timestamptz,                                          -- until when the verifier is on the phone or in the portal
  in_portal      boolean     not null default false,                   -- on_call_until is about the portal
  primary key (request_id, number),
  constraint verification_attempt_end check ((outcome = 'working') = (ended_at is null))
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index verification_attempt_over    on verification_attempt (ended_at) where ended_at is not null;
create index verification_attempt_decided on verification_attempt (decided_at) where decided_at is not null;
create index verification_attempt_by_hand on verification_attempt (key_id, ended_at)
  where channel in ('manual_web_portal', 'manual_phone_call');
create index verification_attempt_on_call on verification_attempt (key_id)
  where on_call_until is not null and ended_at is null;

-- Control numbers of interchanges: ISA13 has nine digits.
create sequence x12_control_number maxvalue 999999999 cycle;

-- An inquiry to a payer and its answer, kept for 400 days.
create table x12_exchange (
  request_id     issued_id   references request,
  control_number integer     check (control_number between 1 and 999999999), -- ISA13 of the inquiry
  account_id     issued_id   not null,
  payer_id       text        not null,
  started_at     timestamptz not null,                                 -- by the clock of the process that asked
  duration_ms    tally       not null,
  status_code    integer,                                              -- HTTP status; null: no status line arrived
  error_reason   text,                                                 -- a slug; null: the answer was a result
  payer_codes    text[]      not null,                                 -- of AAA and TA1 segments, without their texts
  inquiry        bytea       not null,                                 -- encrypted 270 as sent; empty once erased
  answer         bytea,                                                -- encrypted answer as received; null: none
  inquiry_number ordinal,                                              -- which of the request's inquiries, from 1; retries share it
  dental_codes   smallint[]  check (cardinality(dental_codes) = 5),    -- counts of codes: see `CodeCounts`; null: none asked,
  medical_codes  smallint[]  check (cardinality(medical_codes) = 5),   -- or no answer that says anything of them
  recorded_at    timestamptz not null default now(),
  primary key (request_id, control_number)
);
create index x12_exchange_started  on x12_exchange (started_at);
create index x12_exchange_dental   on x12_exchange (payer_id, recorded_at) where dental_codes is not null;
create index x12_exchange_medical  on x12_exchange (payer_id, recorded_at) where medical_codes is not null;
create index x12_exchange_counting on x12_exchange using brin (recorded_at) with (pages_per_range = 32, autosummarize = on);

create sequence draft_revision;

-- The unsubmitted text of a request's verifier, kept for seven days after the last save.
create table draft (
  request_id issued_id   primary key references request,
  written_by issued_id   not null,                                     -- the person or key that saved it last
  revision   bigint      not null,                                     -- from draft_revision
  body       bytea       not null,                                     -- encrypted text, as a JSON string
  saved_at   timestamptz not null default now()
);
create index draft_saved  on draft (saved_at);
create index draft_writer on draft (written_by, request_id);
