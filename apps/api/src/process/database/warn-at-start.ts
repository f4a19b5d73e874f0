import {
  findConnectionLimit,
  parseDatabaseAddress,
  type SealKey,
  type Store,
  whoConfirmsCommits,
} from '@insurance-verification/store';
import { isLoopbackHost } from '@insurance-verification/webhook';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../telemetry/log.ts';
import { connectionCountOf } from './open-database.ts';

/**
 * Warns where this process may want more connections than the server takes: calls would find none and get 503. Not
 * behind a pooler, which shares a few among many.
 */
export async function warnOfFewConnections(config: Config, store: Store, log: Log): Promise<void> {
  if (config.databaseDirectUrl !== undefined) return;
  const wanted = connectionCountOf(config);
  const limit = await findConnectionLimit(store);
  if (wanted <= limit) return;
  log.warn(
    { pool: config.databasePoolMax, wanted, limit },
    'the server may refuse connections: raise its max_connections, lower DATABASE_POOL_MAX, or put a pooler between',
  );
}

/** Warns in production where the end of one machine may lose what was acknowledged. Elsewhere it is a first try. */
export async function warnOfUnconfirmedCommits(config: Config, store: Store, log: Log): Promise<void> {
  if (!config.production || (await whoConfirmsCommits(store)).kind === 'standby') return;
  log.warn(
    'no standby confirms commits before they are acknowledged: unless the storage is replicated, a failover loses the last of them; see synchronous_standby_names',
  );
}

/** Warns in production where nothing shows whether the audit was changed. It is no reason not to serve. */
export function warnOfUnsealedAudit(config: Config, sealKey: SealKey | undefined, log: Log): void {
  if (!config.production) return;
  if (!sealKey)
    log.warn(
      'the audit is not sealed: a superuser of the database could change it unseen; see AUDIT_SEAL_KEY',
    );
  else if (config.auditSealFile === undefined)
    log.warn(
      'the seals of the audit are in the database alone: whoever writes there could remove the last ones, and the service would sign what is left; see AUDIT_SEAL_FILE',
    );
}

/** Warns in production of a database that is reached over a network without TLS. A Unix socket and loopback are not a network. */
export function warnOfUnencryptedDatabase(
  config: Pick<Config, 'production' | 'databaseUrl' | 'databaseDirectUrl' | 'sourceOf'>,
  log: Pick<Log, 'warn'>,
): void {
  if (!config.production) return;
  const addresses = [
    ['DATABASE_URL', config.databaseUrl],
    ['DATABASE_DIRECT_URL', config.databaseDirectUrl],
  ] as const;
  for (const [name, url] of addresses) {
    if (url === undefined) continue;
    const { sslMode, hosts } = parseDatabaseAddress(url);
    if (sslMode !== 'disable' || hosts.every(({ host }) => host.startsWith('/') || isLoopbackHost(host)))
      continue;
    log.warn(
      { variable: config.sourceOf(name) },
      'the connection to the database is not encrypted: anyone on the network path can read and change it; add sslmode=verify-full',
    );
  }
}
