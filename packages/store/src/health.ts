import { sql } from 'kysely';
import type { Store } from './open-store.ts';

/** Resolves when the database answers, rejects when it does not. Used for readiness. */
export async function checkDatabase({ db }: Store): Promise<void> {
  await sql`select 1`.execute(db);
}

/**
 * Resolves when the database takes a commit, after as long as a commit takes. A probe's answer is reused for a second,
 * by all callers.
 * @throws {DatabaseNotWritableError} when it is a standby, read-only, does not finish its commits, or can write no page.
 */
export async function checkWritable({ commits, pages }: Store): Promise<void> {
  await commits.check();
  await pages.check();
}

/** How many connections the server takes from the service's role, in all. */
export async function findConnectionLimit({ db }: Store): Promise<number> {
  // -1 is no limit of their own. `reserved_connections` is PostgreSQL 16's.
  const { rows } = await sql<{ limit: number }>`
    select least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
    ) as limit`.execute(db);
  return rows[0]?.limit ?? 0;
}

/** The transaction that has held its snapshot for longest. */
interface HeldSnapshot {
  /** 0 where none is held. */
  readonly seconds: number;
  /** The session, by its process, role, program and state, or the prepared transaction; null for none. */
  readonly session: string | null;
}

/**
 * Finds the transaction that has held its snapshot for longest, prepared ones included. While it is held long, no vacuum
 * removes what was deleted or replaced since, and the queues' claims walk past it. Of other roles' sessions it sees those
 * that the role may read: all of them with `pg_read_all_stats`.
 */
export async function measureSnapshots({ db }: Store): Promise<HeldSnapshot> {
  const { rows } = await sql<HeldSnapshot>`
    select greatest(extract(epoch from now() - since), 0)::float8 as seconds, session from (
      select xact_start as since,
        concat_ws(', ', 'pid ' || pid, usename, nullif(application_name, ''), state) as session
      from pg_stat_activity
      where datname = current_database() and backend_xmin is not null and pid <> pg_backend_pid()
      union all
      select prepared, concat_ws(', ', 'prepared transaction ' || gid, owner) from pg_prepared_xacts
      where database = current_database()
    ) as held
    where since is not null order by since limit 1`.execute(db);
  return rows[0] ?? { seconds: 0, session: null };
}

/**
 * Whether a commit returns once a standby has it, or once only this server has. Read from the settings of the session:
 * which standbys follow is shown only to monitoring roles, and while none of the named ones does, no commit returns
 * anyway. Storage that is replicated beneath PostgreSQL is not seen.
 */
export async function whoConfirmsCommits({ db }: Store): Promise<{ kind: 'standby' | 'this_server' }> {
  const { rows } = await sql<{ waits: boolean }>`
    select current_setting('synchronous_standby_names') <> ''
      and current_setting('synchronous_commit') not in ('off', 'local') as waits`.execute(db);
  return { kind: rows[0]?.waits === true ? 'standby' : 'this_server' };
}
