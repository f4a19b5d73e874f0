import { sql } from 'kysely';

export const deliveryTables = [
  // leased_at: when the lease that stands was taken, which the attempt of a lost worker says of itself.
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
  // The queue itself: unfinished rows only. By lane, a receiver's host and an account, and only then by when they fall
  // due (a leased row when its lease ends): a claim goes from lane to lane, so however many rows wait for one dead host,
  // it reads no more of them than it may lease.
  sql`create index delivery_due on delivery (destination_host, account_id, (greatest(run_at, coalesce(lease_until, run_at))))
    where done_at is null`,
  // An account's exhausted deliveries by when they were exhausted, however many were delivered meanwhile.
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
