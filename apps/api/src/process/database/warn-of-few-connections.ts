import { findConnectionLimit, type Store } from '@insurance-verification/store';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../telemetry/log.ts';
import { connectionCountOf } from './connection-count-of.ts';

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
