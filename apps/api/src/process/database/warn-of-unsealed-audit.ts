import type { SealKey } from '@insurance-verification/store';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../telemetry/log.ts';

/** Warns in production where nothing shows whether the audit was changed. It is no reason not to serve. */
export function warnOfUnsealedAudit(config: Config, sealKey: SealKey | undefined, log: Log): void {
  if (!config.production || sealKey) return;
  log.warn('the audit is not sealed: a superuser of the database could change it unseen; see AUDIT_SEAL_KEY');
}
