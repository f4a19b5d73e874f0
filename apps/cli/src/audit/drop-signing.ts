import { hostname, userInfo } from 'node:os';
import type { DropSigning } from '@insurance-verification/store';
import { WrongUsageError } from '../failure/failure.ts';
import { digestArchive } from './digest-archive.ts';
import { requireOwnKey } from './seal-keys.ts';

const NO_KEY =
  'No key. The key that seals the audit signs that lines of it go; without that, verification calls it tampering.\n' +
  'Expected it in AUDIT_SEAL_KEY or AUDIT_SEAL_KEY_FILE, or in the DATA_DIR of an embedded database. ' +
  'A service that has none yet is given one first, and seals within seconds what is there.';

export interface SigningOptions {
  readonly archive?: string;
  readonly by?: string;
}

/** The two commands that drop a month. */
export const commandsOf = (month: string): string =>
  `  iv audit archive ${month} > audit-${month}.ndjson\n  ${dropOf(month)}`;

const dropOf = (month: string) => `iv audit drop ${month} --archive audit-${month}.ndjson --yes`;

/**
 * The key that signs the removal of a month.
 * @throws {WrongUsageError} when the archive or the key is not there, with what to do.
 */
export async function readDropSigning(
  month: string,
  { archive, by = `${userInfo().username}@${hostname()}` }: SigningOptions,
): Promise<DropSigning> {
  if (archive === undefined)
    throw new WrongUsageError(
      `A month goes only when its lines are kept elsewhere. Write their archive, keep it, and name it:\n${commandsOf(month)}`,
    );
  const { isDropper } = await import('@insurance-verification/store');
  if (!isDropper(by)) throw new WrongUsageError('--by: expected a name of one line, 100 characters at most.');
  const key = await requireOwnKey(`AUDIT_SEAL_KEY_FILE=/run/secrets/audit-seal-key ${dropOf(month)}`, NO_KEY);
  return { key, by, archive: await digestArchive(archive) };
}
