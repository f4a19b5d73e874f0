-- Events, and the endpoints that an account has them posted to. An event names ids only, never a patient's data.

create domain event_type as text check (value in ('request.answered', 'request.failed', 'request.held', 'request.overdue',
                              'result.corrected', 'batch.ended', 'payer.unavailable', 'payer.recovered', 'delivery.exhausted', 'endpoint.failing', 'endpoint.disabled',
                              'endpoint.test', 'webhook_secret.rotated', 'key.expiring', 'work.available'));

create table webhook_endpoint (
  id                    issued_id   primary key,
  account_id            issued_id   not null references account,
  reach                 text        not null check (reach in ('own', 'test', 'all')), -- whose events: its account's, those of test accounts, every account's
  url                   bytea       not null,                          -- encrypted
  destination_host      bytea       not null,                          -- as in delivery
  types                 text[]      not null check (cardinality(types) > 0),
  secret                bytea       not null,                          -- encrypted
  previous_secret       bytea,                                         -- encrypted; signs with the current one until previous_secret_until
  previous_secret_until timestamptz,
  created_at            timestamptz not null default now(),
  made_by               issued_id,                                     -- the key or person whose end pauses it; null: the account's own, and a subscription
  failing_since         timestamptz,                                   -- the first failed attempt since it last took one
  told_hours            integer     not null default 0 check (told_hours in (0, 2, 24)), -- how long it failed, as last reported
  disabled_at           timestamptz,
  disabled_reason       text        check (disabled_reason in ('failing', 'gone', 'paused', 'maker_ended')),
  missed_from           timestamptz,                                   -- since when it was off, until missed_until; null: nothing is left to post again
  missed_until          timestamptz,
  ended_at              timestamptz,
  subscription          text        unique,                            -- the id of a subscription over MCP; null: created by endpoints.create
  key_id                issued_id   references api_key,                -- who subscribed: without this key nothing is posted
  wanted                jsonb,                                         -- its arguments: {} or {payer, channel}
  expires_at            timestamptz,                                   -- nothing is posted from then on, unless it is refreshed
  constraint webhook_endpoint_subscription    check (num_nulls(subscription, key_id, wanted, expires_at) in (0, 4)),
  constraint webhook_endpoint_previous_secret check (num_nulls(previous_secret, previous_secret_until) in (0, 2)),
  constraint webhook_endpoint_disabled        check (num_nulls(disabled_at, disabled_reason) in (0, 2)),
  constraint webhook_endpoint_missed          check (num_nulls(missed_from, missed_until) in (0, 2))
);
create index webhook_endpoint_account on webhook_endpoint (account_id) where ended_at is null;
create index webhook_endpoint_reach   on webhook_endpoint (reach)      where ended_at is null and reach <> 'own';
create index webhook_endpoint_failing on webhook_endpoint (destination_host)
  where ended_at is null and (told_hours > 0 or disabled_at is not null);
create index webhook_endpoint_made_by on webhook_endpoint (made_by)    where made_by is not null and ended_at is null;
create index webhook_endpoint_ended   on webhook_endpoint (ended_at)   where ended_at is not null;
create index webhook_endpoint_expires on webhook_endpoint (expires_at) where expires_at is not null;

-- When a subscription last got `work.available` of a payer and channel.
create table work_notice (
  endpoint_id   issued_id   references webhook_endpoint on delete cascade,
  payer_id      text,
  channel       text,
  at            timestamptz not null,
  count         tally       not null,                                  -- the requests that were claimable then
  waiting_since timestamptz not null,                                  -- when the longest waiting of them became due
  primary key (endpoint_id, payer_id, channel)
);

-- Kept for 30 days; `work.available` for an hour.
create table event (
  id          issued_id   primary key,                                 -- the `webhook-id`
  account_id  issued_id   not null references account,                 -- whose event it is
  type        event_type  not null,
  subject_id  issued_id   not null,                                    -- the request, endpoint, key or account that it is about
  number      ordinal,                                                 -- of a request's events, in the order of what happened; null: not about a request
  body        text        not null,                                    -- as posted: `Event` in JSON
  mac         bytea       not null default '',                         -- over the columns above: see event-mac.ts
  occurred_at timestamptz not null default now(),
  written_by  xid8        not null default pg_current_xact_id(),       -- orders the events that a reader may see: see list-events.ts
  unique (subject_id, number)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index event_written  on event (written_by, id);
create index event_account  on event (account_id, written_by, id);
create index event_occurred on event (occurred_at);
create index event_work     on event (occurred_at) where type = 'work.available';
