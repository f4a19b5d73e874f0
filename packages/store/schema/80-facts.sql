-- Events counted by the hour, and the depths of the queues. Reports read only these tables.

create table hourly_fact (
  account_id    text,                                                  -- an account; `live`, `test`: all accounts of that mode
  kind          text       check (kind in ('received', 'completed', 'not_verified', 'corrected', 'met', 'overdue',
                             'attempt_succeeded', 'attempt_failed', 'payer_answered', 'payer_silent', 'sent', 'delivered',
                             'held', 'held_applied', 'held_dismissed', 'further_inquiry', 'code_asked', 'code_answered',
                             'code_refused')),
  hour          timestamptz,
  payer_id      text,                                                  -- empty where it does not apply, like the next two
  channel       text,
  reason        text,
  count         tally      not null,
  sum_ms        bigint     not null,
  max_ms        bigint     not null,
  buckets       smallint[],                                            -- a histogram of durations, ascending; null: not timed
  bucket_counts integer[],
  primary key (account_id, kind, hour, payer_id, channel, reason),
  constraint hourly_fact_buckets check (cardinality(buckets) is not distinct from cardinality(bucket_counts))
) with (fillfactor = 70);

-- Until when the events are counted, in one row.
create table fact_progress (
  id            boolean     primary key default true check (id),
  counted_until timestamptz not null,
  event_count   tally       not null                                   -- in the last batch
);
insert into fact_progress (counted_until, event_count) values ('-infinity', 0);

-- The depth of a queue that is too long to count on demand, as last counted.
create table queue_depth (
  queue               text    check (queue in ('work', 'delivery')),
  account_id          text,                                            -- as in hourly_fact; `all`: every delivery
  payer_id            text,
  channel             text,
  waiting_count       tally   not null,
  leased_count        tally   not null,
  overdue_count       tally   not null,
  claimable_count     tally   not null,                                -- that a claim would lease; 0 for deliveries
  oldest_due_at       timestamptz,                                     -- of those waiting
  oldest_claimable_at timestamptz,                                     -- of those claimable
  late_count          tally   not null default 0,                      -- of those claimable: needed before the count
  next_needed_at      timestamptz,                                     -- of the others claimable
  primary key (queue, account_id, payer_id, channel)
);

create table queue_count (
  queue       text        primary key check (queue in ('work', 'delivery')),
  counted_at  timestamptz not null,
  row_count   tally       not null,
  duration_ms tally       not null
);
