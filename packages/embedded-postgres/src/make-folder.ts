import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { EmbeddedServerError, OWN_SERVER_HINT } from './embedded-server-error.ts';

/**
 * Makes a folder and its missing parents. `mkdirSync` with `recursive` never returns on a file system that answers
 * ENOENT for a folder whose parent exists, as /proc does.
 * @throws the system's error
 */
export function makeFolder(folder: string, mode: number): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (err) {
    // A concurrent start was first.
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory()) throw err;
  }
}

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
