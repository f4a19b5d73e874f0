import { sql } from 'kysely';
import type { Store } from '../open-store.ts';

/**
 * Whether a commit returns once a standby has it, or once this server alone has. Read from the settings of the session:
 * which standbys follow is shown to monitoring roles alone, and while none of the named ones does, no commit returns
 * anyway. Storage that is replicated beneath PostgreSQL is not seen.
 */
export async function whoConfirmsCommits({ db }: Store): Promise<{ kind: 'standby' | 'this_server' }> {
  const { rows } = await sql<{ waits: boolean }>`
    select current_setting('synchronous_standby_names') <> ''
      and current_setting('synchronous_commit') not in ('off', 'local') as waits`.execute(db);
  return { kind: rows[0]?.waits === true ? 'standby' : 'this_server' };
}
