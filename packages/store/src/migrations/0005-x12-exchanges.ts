import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // ISA13 has nine digits. After a billion interchanges the first ones are long forgotten.
  sql`create sequence x12_control_number as bigint minvalue 1 maxvalue 999999999 cycle`,

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

/** What was asked of payers over X12 and what they answered, sealed; and how long it took, for the CORE rule. */
export const x12Exchanges: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
