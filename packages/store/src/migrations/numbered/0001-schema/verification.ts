import { sql } from 'kysely';

export const verificationTables = [
  sql`create table verification_attempt (
    request_id issued_id not null references request,
    number integer not null check (number > 0),
    account_id issued_id not null, -- the request's
    payer_id text not null,
    channel text check (channel in
      ('api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal', 'manual_phone_call')),
    key_id issued_id,
    started_at timestamptz not null default now(),
    ended_at timestamptz,
    outcome text not null default 'working' check (outcome in
      ('working', 'succeeded', 'failed', 'released', 'lease_expired', 'timed_out', 'superseded')),
    error_reason text,
    result_version integer,
    evidence bytea,
    primary key (request_id, number),
    check ((outcome = 'working') = (ended_at is null))
  )`,
  sql`create index verification_attempt_served on verification_attempt (account_id, started_at)`,
  sql`create index verification_attempt_ended on verification_attempt (ended_at)`,

  // The channels that are being worked. One row per channel of a payer, so only a few.
  sql`create table channel_attendance (
    payer_id text,
    channel text,
    claimed_at timestamptz not null default now(),
    primary key (payer_id, channel)
  )`,

  // ISA13 has nine digits. A billion interchanges later, the first numbers can be reused.
  sql`create sequence x12_control_number as bigint minvalue 1 maxvalue 999999999 cycle`,

  // The X12 inquiries to payers and their answers, sealed, with the response times for the CORE rule.
  sql`create table x12_exchange (
    request_id issued_id not null references request,
    control_number integer not null, -- of the inquiry
    account_id issued_id not null, -- the request's
    payer_id text not null,
    started_at timestamptz not null,
    duration_ms integer not null check (duration_ms >= 0),
    status_code integer,
    error_reason text, -- null when the answer was a result
    payer_codes text[] not null,
    inquiry bytea not null,
    answer bytea,
    primary key (request_id, control_number)
  )`,
  sql`create index x12_exchange_started on x12_exchange (started_at)`,
];
