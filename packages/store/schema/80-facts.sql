-- What happened, counted by the hour, and how long the queues are: reports read these alone.

create table hourly_fact (
  account_id    text,                                                  -- an account; `live` or `test`: all of that mode
  kind          text       check (kind in ('received', 'completed', 'not_verified', 'corrected', 'met', 'overdue',
                             'attempt_succeeded', 'attempt_failed', 'payer_answered', 'payer_silent', 'sent', 'delivered',
                             'held', 'held_applied', 'held_dismissed')),
  hour          timestamptz,
  payer_id      text,                                                  -- empty where it does not apply, like the next two
  channel       text,
  reason        text,
  count         tally      not null,
  sum_ms        bigint     not null,
  max_ms        bigint     not null,
  buckets       smallint[],                                            -- a histogram of durations, ascending; null: nothing is timed
  bucket_counts integer[],
  primary key (account_id, kind, hour, payer_id, channel, reason),
  constraint hourly_fact_buckets check (cardinality(buckets) is not distinct from cardinality(bucket_counts))
) with (fillfactor = 70);

-- How far the events are counted. One row.
create table fact_progress (
  id            boolean     primary key default true check (id),
  counted_until timestamptz not null,
  event_count   tally       not null                                   -- in the last batch
);
insert into fact_progress (counted_until, event_count) values ('-infinity', 0);

-- The depth of a long queue, place by place, as it was last counted.
create table queue_depth (
  queue               text    check (queue in ('work', 'delivery')),
  account_id          text,                                            -- as in hourly_fact; `all` for deliveries
  payer_id            text,
  channel             text,
  waiting_count       tally   not null,
  leased_count        tally   not null,
  overdue_count       tally   not null,
  claimable_count     tally   not null,                                -- what a claim would lease; 0 for deliveries
  oldest_due_at       timestamptz,                                     -- of what waits
  oldest_claimable_at timestamptz,                                     -- since when that is due
  primary key (queue, account_id, payer_id, channel)
);

create table queue_count (
  queue       text        primary key check (queue in ('work', 'delivery')),
  counted_at  timestamptz not null,
  row_count   tally       not null,
  duration_ms tally       not null
);
