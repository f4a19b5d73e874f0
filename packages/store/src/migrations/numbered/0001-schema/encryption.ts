import { sql } from 'kysely';

export const encryptionTables = [
  sql`create table master_key_check (master_key_id text primary key, value bytea not null)`,

  // account_id is null for the system's two keys: one seals held outputs, the other indexes.
  sql`create table data_key (
    id integer generated always as identity primary key,
    purpose text not null check (purpose in ('seal', 'index')),
    account_id issued_id references account,
    master_key_id text not null references master_key_check,
    wrapped bytea not null,
    created_at timestamptz not null default now(),
    unique nulls not distinct (purpose, account_id)
  )`,
];
