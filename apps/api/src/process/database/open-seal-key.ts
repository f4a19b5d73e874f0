import { createSealKey, readSealKey, type SealKey } from '@insurance-verification/store';
import type { Config } from '../../config/config.ts';
import { StartError } from '../../config/start-error.ts';
import type { LocalSecrets } from './local-secrets.ts';

/**
 * The key that seals the audit: the configured one; for the embedded database one beside it, made at the first start.
 * Undefined for any other database without one: nothing is sealed there.
 * @throws {StartError} when the kept text is no key.
 */
export function openSealKey(
  { auditSealKey, isEmbedded }: Pick<Config, 'auditSealKey' | 'isEmbedded'>,
  secrets: LocalSecrets,
): SealKey | undefined {
  if (auditSealKey !== undefined || !isEmbedded) return auditSealKey;
  const kept = secrets.read('audit-seal-key');
  if (kept === undefined) secrets.keep('audit-seal-key', createSealKey());
  try {
    return readSealKey(secrets.read('audit-seal-key') ?? '');
  } catch (err) {
    throw new StartError(
      `DATA_DIR: ${secrets.pathOf('audit-seal-key')} holds no key any more, and the audit of the database beside it is sealed with it. Put the file back as it was, from a copy or a backup; or move it away, and what follows is sealed with another key.`,
      { cause: err },
    );
  }
}
