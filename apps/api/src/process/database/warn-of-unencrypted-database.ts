import { parseDatabaseAddress } from '@insurance-verification/store';
import { isLoopbackHost } from '@insurance-verification/webhook';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../telemetry/log.ts';

/** Warns in production of a database that is reached over a network without TLS. A Unix socket and loopback are none. */
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
      'the connection to the database is not encrypted: whoever is on the way reads and changes what it carries; add sslmode=verify-full',
    );
  }
}
