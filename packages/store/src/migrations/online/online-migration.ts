import type { Migration } from 'kysely/migration';
import type pg from 'pg';

/** Where a step runs. */
interface OnlineGround {
  readonly client: pg.ClientBase;
  /**
   * False behind a pooler, whose sessions cannot be freed of their time-outs: the steps then run within the migration's
   * transaction, and an index locks out writes while it is built.
   */
  readonly isConcurrent: boolean;
}

/** Safe to repeat: after a kill, the migration begins again. */
export type OnlineStep = (ground: OnlineGround) => Promise<void>;

/**
 * A migration for tables that may hold millions of rows and are in use: no step locks out reads or writes for longer
 * than a moment. Each step commits by itself.
 */
export interface OnlineMigration {
  readonly steps: readonly OnlineStep[];
}

export function isOnline(migration: Migration | OnlineMigration): migration is OnlineMigration {
  return 'steps' in migration;
}

/**
 * Builds an index while the table is in use. An interrupted build leaves an invalid index, which slows writes and serves no
 * read; it is dropped and built again.
 * @param on what follows `on`: the table, the columns, the condition.
 */
export function createIndex(name: string, on: string, kind: 'index' | 'unique index' = 'index'): OnlineStep {
  return async ({ client, isConcurrent }) => {
    const { rows } = await client.query<{ isValid: boolean }>(
      'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)',
      [name],
    );
    if (rows[0]?.isValid) return;
    const beside = isConcurrent ? 'concurrently' : '';
    if (rows[0]) await client.query(`drop index ${beside} if exists ${name}`);
    await client.query(`create ${kind} ${beside} ${name} on ${on}`);
  };
}

/**
 * Repeats a statement over the rows that a table has at the beginning, in the order of their id. Rows that come later
 * must need no change; rows that are done must take no more than a look.
 * @param text takes the id after which to continue and the last one, and answers `last`, the id up to which it went.
 */
export function inBatches(table: string, text: string): OnlineStep {
  return async ({ client }) => {
    const { rows } = await client.query<{ end: string | null }>(`select max(id) as end from ${table}`);
    const end = rows[0]?.end ?? null;
    for (let last: string | null = end && ''; last !== null;) {
      const batch: pg.QueryResult<{ last: string | null }> = await client.query(text, [last, end]);
      last = batch.rows[0]?.last ?? null;
    }
  };
}
