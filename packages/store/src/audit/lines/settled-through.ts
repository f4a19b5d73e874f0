import { setTimeout } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

export type Settled =
  /** No line after the given one. */
  | { readonly kind: 'none' }
  /** Up to this id every line is committed or never will be. */
  | {
      readonly kind: 'settled';
      readonly through: bigint;
      /** When that was looked up: whoever writes a line behind it began at most as long before as a transaction lasts. */
      readonly at: Date;
    }
  /** Somebody who may yet commit an earlier line has been writing all the time. */
  | { readonly kind: 'waiting'; readonly writers: readonly string[] };

/** Milliseconds between two looks: first, and at most. */
const LOOK_MS = { first: 10, max: 500 };

/**
 * Waits until nothing can come before the last line any more. A line takes its number before it is committed, so earlier
 * ones may still come from whoever writes now: each holds its lock on the table from before it took a number to the end
 * of its transaction. Whoever begins later takes a later number.
 *
 * Transaction ids would not do: taking a number needs none.
 */
export async function settledThrough(
  trx: Transaction<Tables>,
  { after, waitMs }: { readonly after: bigint; readonly waitMs: number },
): Promise<Settled> {
  const { rows } = await sql<{ id: string | null; at: Date }>`
    select max(id) as id, clock_timestamp() as at from access_log where id > ${after}`.execute(trx);
  const { id = null, at = new Date() } = rows[0] ?? {};
  if (id === null) return { kind: 'none' };
  // Only now: whoever has a lower number than that line has the lock already.
  const writers = await writersNow(trx);
  const deadline = performance.now() + waitMs;
  for (let pauseMs = LOOK_MS.first; ;) {
    const left = (await writersNow(trx)).filter((writer) => writers.includes(writer));
    if (left.length === 0) break;
    if (performance.now() > deadline) return { kind: 'waiting', writers: left };
    await setTimeout(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LOOK_MS.max);
  }
  return { kind: 'settled', through: BigInt(id), at };
}

/** The transactions that write lines, by a number that none will have again. */
async function writersNow(trx: Transaction<Tables>): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'access_log'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(trx);
  return rows.map(({ writer }) => writer);
}
