import type { Migration } from 'kysely/migration';
import type pg from 'pg';
import { createPartitionedIndex, dropPartitionedIndex, isPartitioned } from './partitioned-index.ts';

/** Where a step runs. */
interface OnlineGround {
  readonly client: pg.ClientBase;
  /**
   * False behind a pooler, whose sessions cannot be freed of their time-outs: the steps then run within the migration's
   * transaction, and an index locks out writes while it is built.
   */
  readonly isConcurrent: boolean;
  /** Where a step keeps how far it is, so that it goes on from there after a kill. */
  readonly place?: StepPlace;
}

export interface StepPlace {
  /** Undefined at the beginning. */
  readonly last: string | undefined;
  readonly keep: (last: string) => Promise<void>;
}

/** Safe to repeat: a kill may come between its end and the note of it. */
export type OnlineStep = (ground: OnlineGround) => Promise<void>;

/**
 * A migration for tables that may hold millions of rows and are in use: no step locks out reads or writes for longer
 * than a moment. Each step commits by itself.
 */
export interface OnlineMigration {
  readonly steps: readonly OnlineStep[];
  /**
   * A late migration: it runs behind the start of a service, which serves meanwhile. This version works without it, if more
   * slowly. A migration after it may need it, and then has it run first, before the start: so it is the last of a version.
   */
  readonly isLate?: true;
}

export function isOnline(migration: Migration | OnlineMigration): migration is OnlineMigration {
  return 'steps' in migration;
}

/**
 * Builds an index beside the table's use, or the use of each of its partitions. An interrupted build leaves an invalid
 * index, which slows writes and serves no read; it is dropped and built again.
 * @param on what follows `on`: the table, the columns, the condition.
 */
export function createIndex(name: string, on: string, kind: 'index' | 'unique index' = 'index'): OnlineStep {
  return async (ground) => {
    const { client, isConcurrent } = ground;
    const { rows } = await client.query<{ isValid: boolean }>(
      'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)',
      [name],
    );
    if (rows[0]?.isValid) return;
    const [table = '', definition = ''] = on.split(/ (.*)/s);
    if (isConcurrent && (await isPartitioned(client, table)))
      return createPartitionedIndex(client, { name, table, kind, definition });
    if (rows[0]) await dropIndex(name)(ground);
    await client.query(`create ${kind} ${isConcurrent ? 'concurrently' : ''} ${name} on ${on}`);
  };
}

/**
 * Drops an index that no process of this version or the one before reads by: an older process would scan its table
 * instead.
 */
export function dropIndex(name: string): OnlineStep {
  return async ({ client, isConcurrent }) => {
    if (await isPartitioned(client, name)) return dropPartitionedIndex(client, name);
    await client.query(`drop index ${isConcurrent ? 'concurrently' : ''} if exists ${name}`);
  };
}

/** Checks the rows of before against a constraint that was added as `not valid`. */
export function validateConstraint(table: string, name: string): OnlineStep {
  return async ({ client }) => void (await client.query(`alter table ${table} validate constraint ${name}`));
}

/**
 * Repeats a statement over the rows that a table has at the beginning, in the order of their id. Rows that come later
 * must need no change.
 * @param text takes the id after which to go on and the last one, and answers `last`, the id up to which it went.
 */
export function inBatches(table: string, text: string): OnlineStep {
  return async ({ client, place }) => {
    const { rows } = await client.query<{ end: string | null }>(`select max(id) as end from ${table}`);
    const end = rows[0]?.end ?? null;
    for (let last: string | null = end && (place?.last ?? ''); last !== null;) {
      const batch: pg.QueryResult<{ last: string | null }> = await client.query(text, [last, end]);
      last = batch.rows[0]?.last ?? null;
      if (last !== null) await place?.keep(last);
    }
  };
}
