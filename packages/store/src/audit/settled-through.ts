import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { LOCKS } from '../locks.ts';
import type { Tables } from '../tables/tables.ts';

type Settled =
  /** No line after the given one. */
  | { readonly kind: 'none' }
  /** Up to this id every line is committed or never will be. */
  | {
      readonly kind: 'settled';
      readonly through: bigint;
      /** When that was looked up: the writer of a line after it began at most as long before as a transaction lasts. */
      readonly at: Date;
    }
  /** Somebody who may yet commit an earlier line has been writing all the time. */
  | { readonly kind: 'waiting'; readonly writers: readonly string[] };

/** Milliseconds between two looks: first, and at most. */
const LOOK_MS = { first: 10, max: 500 };

/**
 * Waits until nothing can come before the last line any more. A line takes its number before it is committed, so earlier
 * ones may still come from open transactions: each holds its lock on the table from before it took a number to the end
 * of its transaction. A later transaction takes a later number.
 *
 * Transaction ids would not do: taking a number needs none.
 */
export async function completeThrough(
  trx: Transaction<Tables>,
  { after, waitMs }: { readonly after: bigint; readonly waitMs: number },
): Promise<Settled> {
  const { rows } = await sql<{ id: string | null; at: Date }>`
    select max(id) as id, clock_timestamp() as at from access_log where id > ${after}`.execute(trx);
  const { id = null, at = new Date() } = rows[0] ?? {};
  if (id === null) return { kind: 'none' };
  // Only now: a transaction with a lower number than that line has the lock already.
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

/** Who holds a lock that the sealing waits for. Never what they run: a statement may name a patient. */
export interface LockHolder {
  /** The server's process; null for a prepared transaction. */
  readonly pid: number | null;
  /** As the client calls itself. */
  readonly application: string | null;
  readonly role: string | null;
}

/**
 * The sessions that block the sealing: those with a lock on the tables that its statements wait for, or the transactions
 * that are given; of the chain of seals the one with its advisory lock.
 * @param writers transactions that may still write a line, as `pg_locks.virtualtransaction` names them.
 */
export async function findLockHolders(
  db: Kysely<Tables>,
  { writers = [] }: { readonly writers?: readonly string[] } = {},
): Promise<LockHolder[]> {
  const { rows } = await sql<LockHolder>`
    select distinct lock.pid, activity.application_name as application,
      coalesce(activity.usename::text, prepared.owner::text) as role
    from pg_locks as lock
    left join pg_stat_activity as activity on activity.pid = lock.pid
    left join pg_prepared_xacts as prepared
      on lock.pid is null and lock.virtualtransaction = '-1/' || prepared.transaction
    where lock.granted and lock.pid is distinct from pg_backend_pid()
      and lock.database = (select oid from pg_database where datname = current_database())
      and (
        lock.locktype = 'advisory' and lock.objsubid = 1
          and (lock.classid::bigint << 32) + lock.objid::bigint = ${LOCKS.sealing}::bigint
        or lock.locktype = 'relation' and (
          lock.virtualtransaction = any (${writers})
            and lock.relation = 'access_log'::regclass and lock.mode = 'RowExclusiveLock'
          or lock.mode in ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')
            and (lock.relation in ('access_log'::regclass, 'audit_seal'::regclass, 'audit_drop'::regclass)
              or lock.relation in (select inhrelid from pg_inherits where inhparent = 'access_log'::regclass))
        )
      )
    order by lock.pid`.execute(db);
  return rows;
}
