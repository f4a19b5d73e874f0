import { ConfigError } from './config.ts';

/** What to do about a system error at the start, by its code. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program listens there. Set PORT to a free one, or to 0 to have one chosen: PORT=3001.',
  EADDRNOTAVAIL: 'HOST is no address of this machine: HOST=127.0.0.1, or 0.0.0.0 for all of them.',
  EACCES: 'This user may not do that. Ports below 1024 need rights: PORT=3000.',
  ECONNREFUSED:
    'Nothing answers at DATABASE_URL. Without DATABASE_URL the service starts a database of its own.',
  ENOTFOUND: 'The host of DATABASE_URL has no address.',
  '28P01': 'DATABASE_URL: the database refuses this user or password.',
  '25006':
    'DATABASE_URL or DATABASE_DIRECT_URL leads to a standby, or to a server with default_transaction_read_only. Both must lead to the primary.',
  commits_hang: 'Its synchronous standby may be gone: see synchronous_standby_names and pg_stat_replication.',
  '3D000': 'DATABASE_URL: the server has no database of this name.',
};

/** A start-up error for the operator at the terminal. It holds configuration, never a patient's data. */
export function describeStartFailure(err: unknown): string {
  if (err instanceof ConfigError) return err.message;
  if (!(err instanceof Error)) return String(err);
  const code = 'code' in err && typeof err.code === 'string' ? err.code : '';
  const hint = advice[code];
  return hint === undefined ? `${err.name}: ${err.message}` : `${err.message || code}\n${hint}`;
}
