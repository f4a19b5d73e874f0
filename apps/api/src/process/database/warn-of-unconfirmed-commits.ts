import { type Store, whoConfirmsCommits } from '@insurance-verification/store';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../telemetry/log.ts';

/** Warns in production where the end of one machine may lose what was acknowledged. Elsewhere it is a first try. */
export async function warnOfUnconfirmedCommits(config: Config, store: Store, log: Log): Promise<void> {
  if (!config.production || (await whoConfirmsCommits(store)).kind === 'standby') return;
  log.warn(
    'no standby confirms commits before they are acknowledged: unless the storage is replicated, a failover loses the last of them; see synchronous_standby_names',
  );
}
