-- Batches: files of requests. A row is a request, or was rejected.

create table batch (
  id              issued_id   primary key,
  account_id      issued_id   not null references account,
  key             bytea,                                               -- HMAC of its `Idempotency-Key`; null 48 hours later, once it has ended
  head_digest     bytea       not null,                                -- HMAC of its format, mode and defaults
  mode            text        not null check (mode in ('accept_valid', 'all_or_nothing')),
  label           text,                                                -- a name for people
  sent_by         issued_id   not null,                                -- a key or a person
  received_at     timestamptz not null default now(),
  received_count  tally       not null default 0,                      -- rows stored: 1 to this one
  rejected_count  tally       not null default 0,
  answered_count  tally       not null default 0,                      -- these four without what `batch_change` adds
  failed_count    tally       not null default 0,
  closed_count    tally       not null default 0,
  erased_count    tally       not null default 0,
  receiver        uuid,                                                -- the fencing token of the call that sends rows; null: none does
  receiving_until timestamptz,                                         -- may be past: the call is lost
  completed_at    timestamptz,                                         -- it takes no more rows
  cut_off         boolean     not null default false,                  -- it was completed before its last row came
  canceled_at     timestamptz,
  canceled_by     issued_id,                                           -- a key or a person
  ended_at        timestamptz,                                         -- no row waits for a result
  outcome         text        check (outcome in ('all', 'some', 'none')), -- how many rows were answered when it ended
  unique (account_id, key),
  constraint batch_receiver check (num_nulls(receiver, receiving_until) in (0, 2)),
  constraint batch_end      check (ended_at is null or completed_at is not null),
  constraint batch_outcome  check (num_nulls(ended_at, outcome) in (0, 2)),
  constraint batch_canceled check (canceled_at is null or completed_at is not null),
  constraint batch_canceled_by check (num_nulls(canceled_at, canceled_by) in (0, 2))
);
create index batch_account on batch (account_id, id);
create index batch_open    on batch (id) where ended_at is null;

create table batch_row (
  batch_id    issued_id   references batch,
  row         ordinal,
  digest      bytea       not null,                                    -- HMAC of the row as sent; empty once erased
  reference   bytea,                                                   -- encrypted: the sender's own id; null: none, or erased
  request_id  issued_id   unique references request,                   -- null: rejected, staged, or closed while it was staged
  errors      jsonb,                                                   -- why it is rejected, a list of loc, type and msg; null: it is not
  closed      boolean     not null default false,                      -- it was closed without a result
  received_at timestamptz not null default now(),
  primary key (batch_id, row),
  constraint batch_row_rejected check (errors is null or request_id is null)
);
create index batch_row_errors on batch_row (received_at) where errors is not null;

-- What changed the counters of a batch, until `keepBatches` adds it to them. It is written by the transaction that changes
-- a request, as rows of their own: as an update of the batch, all its verifiers would wait for each other.
create table batch_change (
  batch_id issued_id   not null,
  place    text        not null check (place in ('answered', 'failed', 'closed', 'erased')),
  count    integer     not null                                        -- rows that came to the place; negative: that left it
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 50000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000,
  autovacuum_vacuum_cost_delay = 0);
create index batch_change_batch on batch_change (batch_id);

-- The valid rows of an all_or_nothing batch, until its last row has come and they become requests.
create table batch_staged (
  batch_id issued_id,
  row      ordinal,
  request  bytea       not null,                                       -- encrypted `RowRequest`
  primary key (batch_id, row),
  foreign key (batch_id, row) references batch_row
);

