import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { EmbeddedServerError } from '../embedded-server-error.ts';

/**
 * The server's password: 256 random bits in a file that only this user can read. Created before the cluster, so that no
 * cluster can exist without its password.
 *
 * @throws EmbeddedServerError `data_dir_unusable` when the file of an existing cluster is gone
 */
export function readOrMakePassword(options: { passwordFile: string; isNew: boolean }): string {
  const { passwordFile, isNew } = options;
  let kept = '';
  try {
    kept = readFileSync(passwordFile, 'utf8').trim();
  } catch (err) {
    if (!isNew) {
      throw new EmbeddedServerError(
        'data_dir_unusable',
        `The database beside it exists, but its password file ${passwordFile} cannot be read: ${err instanceof Error ? err.message : String(err)}. Put the file back, or move the folder away to begin with an empty database.`,
        { cause: err },
      );
    }
  }
  if (!isNew) return kept;
  const password = randomBytes(32).toString('base64url');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  return password;
}
