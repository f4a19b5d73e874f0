import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { EmbeddedServerError, OWN_SERVER_HINT } from '../embedded-server-error.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Makes the folder `postgres` in the data directory, for the cluster, its password, its log and the owner lock.
 *
 * @throws EmbeddedServerError `data_dir_unusable`
 */
export function makeServerFolder(dataDir: string): string {
  const folder = path.resolve(dataDir, 'postgres');
  try {
    // A server under another user and without /proc/self/cwd must be able to traverse the folder.
    const mode = process.getuid?.() === 0 && process.platform !== 'linux' ? 0o711 : 0o700;
    makeFolder(folder, mode);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (err) {
    throw new EmbeddedServerError(
      'data_dir_unusable',
      `The data directory ${path.resolve(dataDir)} cannot be used: ${err instanceof Error ? err.message : String(err)}. Give a DATA_DIR that can be written. ${OWN_SERVER_HINT}`,
      { cause: err },
    );
  }
  return folder;
}
