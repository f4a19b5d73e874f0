-- Results, and outputs that a person has to review first.

create table result (
  request_id     issued_id   references request,
  version        ordinal,                                              -- from 1; later ones are corrections
  outcome        result_outcome not null,
  body           bytea       not null,                                 -- encrypted `StoredFinding`; empty once erased
  benefits       bytea,                                                -- encrypted `StoredBenefits`; null: none given, or erased
  digest         bytea       not null,                                 -- HMAC of the finding, to recognize a repeat
  applied_at     timestamptz not null default now(),
  applied_by     issued_id,                                            -- a key or a person; null: the service, or a sender without a key
  held_output_id issued_id,                                            -- the held output that became this result; may be deleted
  withdrawn      boolean     not null default false,                   -- nobody needs an answer any more: it is in no figure
  primary key (request_id, version)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index result_held on result (held_output_id) where held_output_id is not null;
create index result_counting on result using brin (applied_at) with (pages_per_range = 32, autosummarize = on);

-- Requests that an operator seeded, of an account of their own, with the answer that is right: see known-answers/.
create table known_answer (
  request_id issued_id   primary key references request,
  seeded_at  timestamptz not null default now(),
  seeded_by  issued_id   not null,                                     -- a key or a person
  answer     bytea       not null                                      -- encrypted `KnownAnswer`; empty once erased
);

-- Outputs that were held instead of applied, kept for 30 days.
create table held_output (
  id               issued_id   primary key,
  reason           hold_reason not null,
  request_id       issued_id   references request,                     -- null: it names no known request, or its sender has no key
  named_request_id issued_id,                                          -- named by a sender without a key: it need not exist
  other_request_ids issued_id[] check (cardinality(other_request_ids) > 0), -- other requests that it or one of its entries names
  digest           bytea       not null,                               -- HMAC, to recognize a repeat
  body             bytea       not null,                               -- encrypted `ResponseModel`, for the account of request_id
  benefits         bytea,                                              -- encrypted `StoredBenefits`; null: none given, or dismissed
  evidence         bytea,                                              -- encrypted `Evidence` of a correction, with its reason; null: not a correction
  differences      bytea,                                              -- encrypted `HeldDifferences`; null: no known request, or not computed yet
  byte_count       tally       not null,                               -- of body, benefits and evidence
  status           text        not null default 'held' check (status in ('held', 'applied', 'dismissed')),
  received_at      timestamptz not null default now(),
  received_by      issued_id,                                          -- a verifier's key; null: a sender without a key
  client           bytea,                                              -- HMAC of the address of a sender without a key
  settled_at       timestamptz,
  settled_by       issued_id,
  note             bytea,                                              -- encrypted, by the person who dismissed it
  constraint held_output_settled check ((status = 'held') = (settled_at is null) and (status <> 'held' or settled_by is null)),
  constraint held_output_sender  check (num_nonnulls(received_by, client) < 2)
);
create unique index held_output_once on held_output (digest) where status = 'held';
create index held_output_open      on held_output (id desc) include (byte_count) where status = 'held';
create index held_output_reason    on held_output (reason, id) where status = 'held';
create index held_output_key       on held_output (received_by) include (byte_count)
  where status = 'held' and received_by is not null;
create index held_output_anonymous on held_output ((status = 'held'), id) include (byte_count)
  where received_by is null and status <> 'applied';
create index held_output_client    on held_output (client, (status = 'held'), id)
  where received_by is null and status <> 'applied';
create index held_output_request   on held_output (coalesce(request_id, named_request_id), id)
  where coalesce(request_id, named_request_id) is not null;
create index held_output_others    on held_output using gin (other_request_ids) where other_request_ids is not null;
create index held_output_age       on held_output (received_at);
create index held_output_done      on held_output (settled_at) where settled_at is not null;

-- Totals of held and dismissed outputs, apart for senders with a verifier's key and without, since a sum would read 10,000
-- rows. An operation that holds an output locks its counters first, in order of the primary key, as the triggers do. Applied
-- outputs belong to a result and are not counted. Pages are almost empty, so that a new version of a row fits its page.
create table held_count (
  is_keyed             boolean,
  reason               hold_reason,
  row_count            bigint not null default 0,
  byte_count           bigint not null default 0,
  dismissed_row_count  bigint not null default 0,
  dismissed_byte_count bigint not null default 0,
  primary key (is_keyed, reason)
) with (fillfactor = 10);
insert into held_count (is_keyed, reason)
  select is_keyed, reason from unnest(array[false, true]) as is_keyed,
    unnest(array['untrusted', 'unmatched', 'input_mismatch', 'superseding', 'agent_result']) as reason;

-- Adds the rows that a statement changed to the totals; the argument '-1' subtracts them.
create function count_held_outputs() returns trigger language plpgsql as $$
declare
  change record;
  sign bigint := tg_argv[0];
begin
  for change in
    select received_by is not null as is_keyed, reason,
      sign * count(*) filter (where status = 'held') as row_count,
      sign * coalesce(sum(byte_count) filter (where status = 'held'), 0) as byte_count,
      sign * count(*) filter (where status = 'dismissed') as dismissed_row_count,
      sign * coalesce(sum(byte_count) filter (where status = 'dismissed'), 0) as dismissed_byte_count
    from changed group by 1, 2 order by 1, 2
  loop
    update held_count set
      row_count = held_count.row_count + change.row_count,
      byte_count = held_count.byte_count + change.byte_count,
      dismissed_row_count = held_count.dismissed_row_count + change.dismissed_row_count,
      dismissed_byte_count = held_count.dismissed_byte_count + change.dismissed_byte_count
    where is_keyed = change.is_keyed and reason = change.reason;
  end loop;
  return null;
end $$;
create trigger held_output_added     after insert on held_output referencing new table as changed
  for each statement execute function count_held_outputs('1');
create trigger held_output_was       after update on held_output referencing old table as changed
  for each statement execute function count_held_outputs('-1');
create trigger held_output_was_then  after update on held_output referencing new table as changed
  for each statement execute function count_held_outputs('1');
create trigger held_output_removed   after delete on held_output referencing old table as changed
  for each statement execute function count_held_outputs('-1');

create function count_no_held_output() returns trigger language plpgsql as $$
begin
  update held_count set row_count = 0, byte_count = 0, dismissed_row_count = 0, dismissed_byte_count = 0;
  return null;
end $$;
create trigger held_output_truncated after truncate on held_output for each statement execute function count_no_held_output();
