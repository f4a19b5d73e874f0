-- Deliveries: one for each version of a result, to its callback address, and one for each event and endpoint.

create table delivery (
  id                  issued_id   primary key,                         -- of a result: the `webhook-id`
  request_id          issued_id,                                       -- with version: the result; null: it carries an event
  version             integer,
  event_id            issued_id   references event,                    -- null: it carries a result
  endpoint_id         issued_id   references webhook_endpoint,
  account_id          issued_id   not null references account,         -- of the request, or of the endpoint
  destination         bytea       not null,                            -- encrypted callback address, empty once erased; or the endpoint's url
  destination_host    bytea       not null,                            -- HMAC of host and port, for caps and fairness
  status              delivery_status not null default 'pending',
  reason              text,                                            -- null unless exhausted
  attempt_count       tally       not null default 0,                  -- over all rounds; a redelivery starts a round
  round_attempt_count tally       not null default 0,
  accepted_at         timestamptz not null default now(),
  done_at             timestamptz,
  exhausted_at        timestamptz generated always as (case when status = 'exhausted' then done_at end) stored,
  unique (request_id, version),
  foreign key (request_id, version) references result,
  constraint delivery_carries check (num_nulls(request_id, version) = 2 - num_nulls(event_id, endpoint_id)
    and num_nulls(request_id, version) in (0, 2)),
  constraint delivery_end    check ((status = 'pending') = (done_at is null)),
  constraint delivery_reason check ((status = 'exhausted') = (reason is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create unique index delivery_event on delivery (event_id, endpoint_id)     where event_id is not null;
create index delivery_account      on delivery (account_id, id);
create index delivery_given_up     on delivery (account_id, id)           where exhausted_at is not null;
create index delivery_exhausted_at on delivery (account_id, exhausted_at) where exhausted_at is not null;
create index delivery_lost_to      on delivery (destination_host)         where exhausted_at is not null;
create index delivery_endpoint     on delivery (endpoint_id, id)          where endpoint_id is not null;

-- One row for each unfinished delivery, which is also its lease: claim, renewal and release write only this row.
create table delivery_queue (
  destination_host bytea,
  account_id       issued_id   not null,
  of_batch         boolean     not null default false,                 -- its request came in a batch, and it was not sent again
  lane             text collate "C" generated always as (account_id || case when of_batch then '+batch' else '' end) stored,
  run_at           timestamptz,                                        -- when the next attempt is due
  planned_at       timestamptz not null default now(),                 -- when run_at was set
  delivery_id      issued_id   unique references delivery,
  request_id       issued_id,                                          -- null: it carries an event
  lease            uuid,                                               -- the fencing token; null: not leased
  leased_at        timestamptz,                                        -- when it was claimed
  leased_until     timestamptz,                                        -- may be past: the worker is lost
  claim_count      tally       not null default 0,                     -- since the last finished attempt
  primary key (destination_host, lane, run_at, delivery_id),
  constraint delivery_queue_lease check (num_nulls(lease, leased_at, leased_until) in (0, 3))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
create index delivery_queue_planned_at on delivery_queue (planned_at);

create table delivery_attempt (
  delivery_id      issued_id   references delivery,
  number           ordinal,
  at               timestamptz not null,                               -- its start, by the worker's clock
  outcome          sending_outcome not null,
  status_code      integer,                                            -- HTTP status; null: no status line arrived
  duration_ms      integer     not null,
  response_snippet bytea,                                              -- encrypted start of the response
  recorded_at      timestamptz not null default now(),
  primary key (delivery_id, number)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index delivery_attempt_counting on delivery_attempt using brin (recorded_at)
  with (pages_per_range = 32, autosummarize = on);

-- The processes that deliver. One that does not renew its row before `until` is dead.
create table delivery_worker (
  id            uuid        primary key,
  until         timestamptz not null,
  account_slots tally       not null,                                  -- how many attempts of one account it may run at once
  is_leaving    boolean     not null
);

-- Hosts are divided into 256 shards by the first byte of destination_host. One worker owns a shard; null: none yet.
create table delivery_shard (
  shard smallint primary key check (shard between 0 and 255),
  owner uuid     references delivery_worker on delete set null
) with (fillfactor = 50);
insert into delivery_shard (shard) select generate_series(0, 255);

-- The latest known state of a callback host. Its name is in the encrypted address of one of its deliveries.
create table receiver (
  destination_host bytea       primary key,
  delivery_id      issued_id   not null references delivery,
  last_attempt_at  timestamptz not null,
  paused_since     timestamptz,                                        -- when its circuit breaker opened; null: closed
  next_try_at      timestamptz,                                        -- when the breaker tries one attempt; long past: its worker ended
  constraint receiver_paused check (num_nulls(paused_since, next_try_at) in (0, 2))
);

-- How the attempts to a host ended, by the hour, counted with the facts and kept for two days.
create table receiver_hour (
  destination_host bytea       references receiver,
  mode             text        check (mode in ('live', 'test')),
  hour             timestamptz,
  taken_count      tally       not null,
  failed_count     tally       not null,
  primary key (destination_host, mode, hour)
);
