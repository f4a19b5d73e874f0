import { sql } from 'kysely';

export const deliveryTables = [
  // leased_at: when the current lease was taken; used as the attempt time of a lost worker.
  sql`create table delivery (
    id issued_id primary key,
    request_id issued_id not null,
    version integer not null,
    account_id issued_id not null references account,
    destination bytea not null,
    destination_host bytea not null,
    body bytea not null,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'exhausted', 'superseded')),
    reason text,
    attempt_count integer not null default 0,
    round_attempt_count integer not null default 0,
    claim_count integer not null default 0,
    run_at timestamptz not null default now(),
    lease_token uuid,
    lease_until timestamptz,
    accepted_at timestamptz not null default now(),
    done_at timestamptz,
    leased_at timestamptz,
    unique (request_id, version),
    foreign key (request_id, version) references result,
    check ((status = 'pending') = (done_at is null))
  )`,
  // The queue: unfinished rows only. Sorted by lane, a receiver's host and an account, and then by due time (of a
  // leased row, the end of its lease): a claim goes from lane to lane, so it reads no more rows than it may lease,
  // however many wait for one dead host.
  sql`create index delivery_due on delivery (destination_host, account_id, (greatest(run_at, coalesce(lease_until, run_at))))
    where done_at is null`,
  // An account's exhausted deliveries by the time of exhaustion, regardless of how many were delivered meanwhile.
  sql`create index delivery_exhausted on delivery (account_id, done_at) where status = 'exhausted'`,

  sql`create table delivery_attempt (
    delivery_id issued_id references delivery,
    number integer check (number > 0),
    at timestamptz not null,
    outcome text not null,
    status_code integer,
    duration_ms integer not null,
    response_snippet bytea,
    primary key (delivery_id, number)
  )`,
];
