import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Never reused, so that a draft that was discarded and begun anew is not taken for the one that somebody read.
  sql`create sequence draft_revision as bigint`,

  // What verifiers have written about unfinished requests, one draft each. body is sealed for request, writer and
  // revision. A request's drafts are deleted with its first result.
  sql`create table draft (
    request_id issued_id references request,
    written_by issued_id, -- a person or a key
    revision bigint not null,
    body bytea not null,
    saved_at timestamptz not null default now(),
    primary key (request_id, written_by)
  )`,
  sql`create index draft_writer on draft (written_by, request_id)`,
  sql`create index draft_saved on draft (saved_at)`,
];

/** Drafts of verifiers. */
export const drafts: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
