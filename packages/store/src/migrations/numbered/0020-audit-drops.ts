import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // number: from 1 without a gap. seal_number: the newest seal when it was signed, 0 for none: its place among the seals.
  // border: ids and hashes of dropped lines whose seals also hold lines that stay. note: signed; everything else is in it.
  sql`create table audit_drop (
    number bigint primary key,
    seal_number bigint not null,
    border bytea not null,
    note text not null
  )`,
  sql`create function refuse_drop_change() returns trigger language plpgsql as $$
    begin raise exception 'audit_drop is append-only'; end $$`,
  sql`create trigger audit_drop_append_only before update or delete or truncate on audit_drop
    for each statement execute function refuse_drop_change()`,
];

/** The signed records of lines of the audit that went with their month. */
export const auditDrops: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
