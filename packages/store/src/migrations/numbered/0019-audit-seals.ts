import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // number: from 1 without a gap. last_id: lines up to this one are sealed. edge: of the tree behind its last line, from
  // which the next seal goes on. note: signed; everything else about the seal is in it.
  sql`create table audit_seal (
    number bigint primary key,
    last_id bigint not null unique,
    edge bytea not null,
    note text not null
  )`,
  sql`create function refuse_seal_change() returns trigger language plpgsql as $$
    begin raise exception 'audit_seal is append-only'; end $$`,
  sql`create trigger audit_seal_append_only before update or delete or truncate on audit_seal
    for each statement execute function refuse_seal_change()`,
];

/** The seals of the audit. */
export const auditSeals: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
