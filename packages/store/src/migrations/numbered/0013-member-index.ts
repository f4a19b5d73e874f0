import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createIndex, type OnlineMigration } from '../online/online-migration.ts';

/**
 * What an exact member id is looked up by. The migration cannot compute it: the ids are sealed, and the key belongs to
 * the service's processes, which do so behind their start (see `indexMembers`).
 */
export const memberIndex: Migration = {
  up: async (db) => {
    await sql`alter table request add column member_index bigint`.execute(db);
  },
};

/** How it is looked up, and which requests have none yet. */
export const memberIndexLookup: OnlineMigration = {
  steps: [
    createIndex('request_member', 'request (member_index) where member_index is not null'),
    // Empty once every request of before has its own, also those that a process of the version before writes.
    createIndex('request_without_member', 'request (id) where member_index is null'),
  ],
};
