import { type Kysely, sql } from 'kysely';
import { LOCKS } from '../../locks.ts';
import type { Tables } from '../../tables/tables.ts';

/** Who holds a lock that the sealing waits for. Never what they run: a statement may name a patient. */
export interface LockHolder {
  /** The server's process; null for a prepared transaction. */
  readonly pid: number | null;
  /** As the client calls itself. */
  readonly application: string | null;
  readonly role: string | null;
}

/**
 * Who keeps the sealing from going on: of the tables whoever has a lock that its statements wait for, or the transactions
 * that are given; of the chain of seals whoever holds its advisory lock.
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
