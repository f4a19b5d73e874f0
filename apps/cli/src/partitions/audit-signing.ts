import { hostname, userInfo } from 'node:os';
import type { DropSigning } from '@insurance-verification/store';
import { digestArchive } from '../audit/digest-archive.ts';
import { requireOwnKey } from '../audit/seal-keys.ts';
import { WrongUsageError } from '../failure/failure.ts';

const NO_KEY =
  'No key. The key that seals the audit signs that lines of it go; without that, verification calls it tampering.\n' +
  'Expected it in AUDIT_SEAL_KEY or AUDIT_SEAL_KEY_FILE, or in the DATA_DIR of an embedded database. ' +
  'A service that has none yet is given one first, and seals within seconds what is there.';

export interface AuditOptions {
  readonly archive?: string;
  readonly by?: string;
}

/**
 * What signs that a month's lines of the audit go.
 * @throws {WrongUsageError} when the archive or the key is not there, with what to do.
 */
export async function readAuditSigning(
  month: string,
  { archive, by = `${userInfo().username}@${hostname()}` }: AuditOptions,
): Promise<DropSigning> {
  const command = `iv partitions drop ${month} --audit --archive audit-${month}.ndjson --yes`;
  if (archive === undefined)
    throw new WrongUsageError(
      `The lines of the audit go only when they are kept elsewhere. Write their archive, keep it, and name it:\n` +
        `  iv audit archive ${month} > audit-${month}.ndjson\n  ${command}`,
    );
  const { isDropper } = await import('@insurance-verification/store');
  if (!isDropper(by)) throw new WrongUsageError('--by: expected a name of one line, 100 characters at most.');
  const key = await requireOwnKey(`AUDIT_SEAL_KEY_FILE=/run/secrets/audit-seal-key ${command}`, NO_KEY);
  return { key, by, archive: await digestArchive(archive) };
}
