import { sql } from 'kysely';
import type { Migrations } from '../migrations.ts';
import { createIndex, inBatches } from './online-migration.ts';

/** Rows that one statement fills: few enough that the test can break off between two. */
const BATCH_COUNT = 500;

/**
 * What the first release after 1.0.0 may bring, which until then no migration proves: a column, the move of the rows that
 * are there, and an index over them.
 */
export const exampleMigrations: Migrations = {
  '0001-payer-search': {
    up: async (db) => {
      await sql`alter table request add column payer_search text`.execute(db);
      await sql`alter table request alter column payer_search set default 'new'`.execute(db);
    },
  },
  '0002-payer-search-filled': {
    steps: [
      inBatches(
        'request',
        `with batch as (
           select id from request where id > $1::text and id <= $2::text order by id limit ${BATCH_COUNT}
         ), filled as (
           update request set payer_search = lower(payer_name)
           where id in (select id from batch) and payer_search is null
         )
         select max(id) as last from batch`,
      ),
      createIndex('request_payer_search', 'request (payer_search)'),
    ],
  },
};
