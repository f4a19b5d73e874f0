import type { CopyLeft } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

interface Erased {
  readonly erasedAt: Date;
  /** How long backups and archived log are kept; null where nobody said. */
  readonly backupDays: number | null;
}

interface Server {
  readonly position: string;
  readonly archives: boolean;
  readonly standbys: readonly string[] | null;
}

const DAY_MS = 86_400_000;

/**
 * The copies that an erasure does not reach, as far as the database knows of them: the settings of its log, and the
 * standbys that follow now. It never knows of backups that were made of it.
 */
export async function copiesLeft(
  trx: Transaction<Tables>,
  { erasedAt, backupDays }: Erased,
): Promise<CopyLeft[]> {
  const { rows } = await sql<Server>`
    select pg_current_wal_lsn()::text as position, current_setting('archive_mode') <> 'off' as archives,
      (select array_agg(coalesce(application_name, 'of process ' || pid) order by pid)
        from pg_stat_replication) as standbys`.execute(trx);
  const server = rows[0];
  if (!server) throw new Error('A select of one row gave none.');
  const until = backupDays === null ? null : new Date(erasedAt.getTime() + backupDays * DAY_MS).toISOString();
  const kept =
    backupDays === null ? 'when whoever keeps them deletes them' : `they are kept ${backupDays} days`;
  return [
    {
      kind: 'table_file',
      name: null,
      until: null,
      ends: 'The old versions of the rows go with the next vacuum; their bytes, once the space is used again.',
    },
    {
      kind: 'write_ahead_log',
      name: `up to ${server.position}`,
      until: null,
      ends: 'The files of the log are used again once two checkpoints have passed and every standby has them.',
    },
    ...(server.archives
      ? [
          {
            kind: 'archived_log',
            name: `up to ${server.position}`,
            until,
            ends: `Files of the log that were archived: ${kept}.`,
          } as const,
        ]
      : []),
    ...(server.standbys ?? []).map((name): CopyLeft => ({
      kind: 'standby',
      name,
      until: null,
      ends: 'It erases as soon as it has replayed the log up to this transaction; its own log and files are as above.',
    })),
    {
      kind: 'backup',
      name: `each that was made before ${erasedAt.toISOString()}`,
      until,
      ends: `Backups and snapshots: ${kept}. One that is restored has the data again: erase it again.`,
    },
  ];
}
