import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspaceRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Whether this program runs in a checkout, where `pnpm start` is; false where it is laid out by `pnpm deploy`. */
export const inCheckout = existsSync(join(workspaceRoot, 'pnpm-workspace.yaml'));

/** `DATA_DIR`; by default that of a service started in this workspace. An empty variable counts as absent. */
export function dataDirOf(environment: Readonly<Record<string, string | undefined>>): string {
  return environment['DATA_DIR'] || join(workspaceRoot, '.data');
}

/** Whether a service may run with that folder: a program that is laid out has none that a person would know. */
export function hasDataDir(environment: Readonly<Record<string, string | undefined>>): boolean {
  return inCheckout || Boolean(environment['DATA_DIR']);
}

/**
 * The file outside of the database that has each seal of the audit: `AUDIT_SEAL_FILE`, otherwise one in `DATA_DIR`.
 * Undefined with another database than the embedded one where neither is set: the default folder may be another's.
 */
export function sealFileOf(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  if (environment['AUDIT_SEAL_FILE']) return environment['AUDIT_SEAL_FILE'];
  const isEmbedded = !environment['DATABASE_URL'] && !environment['DATABASE_URL_FILE'];
  const isOwn = environment['DATA_DIR'] || (isEmbedded && inCheckout);
  return isOwn ? join(dataDirOf(environment), 'audit-seals.jsonl') : undefined;
}
