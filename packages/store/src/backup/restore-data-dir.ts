import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { extract } from 'tar';
import { UNFINISHED_PREFIX } from '../embedded-server/cluster/initialise-cluster.ts';
import { makeServerFolder } from '../embedded-server/cluster/make-server-folder.ts';
import { acquireOwnerLock } from '../embedded-server/cluster/owner-lock.ts';
import { EmbeddedServerError } from '../embedded-server/embedded-server-error.ts';
import { BACKUP_ARCHIVE, copySecrets, PASSWORD, secretsIn } from './backup-folder.ts';

export interface RestoreOptions {
  /** A backup as `backUpDataDir` makes it. */
  readonly folder: string;
  /** What the service calls `DATA_DIR`; made if missing. Nothing that is there is overwritten. */
  readonly dataDir: string;
}

/**
 * Lays a backup out as a data directory, on which the next start goes on. The database is there when it is complete; what
 * a killed restore leaves, the next one or the next start clears away.
 * @returns the files laid beside the database, by name.
 * @throws EmbeddedServerError `backup_refused`; then there is no database
 */
export async function restoreDataDir({ folder, dataDir }: RestoreOptions): Promise<readonly string[]> {
  const archive = path.resolve(folder, BACKUP_ARCHIVE);
  const missing = [BACKUP_ARCHIVE, PASSWORD].find((name) => !existsSync(path.join(folder, name)));
  if (missing) refuse(`${path.resolve(folder)} is no backup: it has no ${missing}.`);
  const target = path.resolve(dataDir);
  const clusterDir = path.join(target, 'postgres', 'cluster');
  const laid = (await secretsIn(folder)).map((name) => path.join(target, name));
  refusePresent([clusterDir, ...laid]);

  const lock = await acquireOwnerLock(makeServerFolder(dataDir));
  try {
    refusePresent([clusterDir, ...laid]); // a start may have come before the lock
    const unfinished = await mkdtemp(path.join(target, 'postgres', UNFINISHED_PREFIX));
    try {
      await chmod(unfinished, 0o700); // PostgreSQL refuses a wider one
      // Owners are the next start's to set: on another machine the numbers in the archive are somebody else.
      await extract({ file: archive, cwd: unfinished, strict: true, preserveOwner: false });
    } catch (err) {
      // Files that were being written when it failed may still come.
      await rm(unfinished, { recursive: true, force: true, maxRetries: 10 });
      const reason = err instanceof Error ? err.message : String(err);
      refuse(`${archive} is not whole: ${reason}.`, err);
    }
    try {
      const secrets = await copySecrets({ from: folder, to: target });
      await rename(unfinished, clusterDir);
      return secrets;
    } catch (err) {
      // None of these was there before. Left, they refuse the next restore, and a start makes an empty database by them.
      for (const file of [unfinished, ...laid]) await rm(file, { recursive: true, force: true });
      const reason = err instanceof Error ? err.message : String(err);
      refuse(`${path.resolve(folder)} could not be laid out in ${target}: ${reason}.`, err);
    }
  } finally {
    lock.release();
  }
}

function refusePresent(files: readonly string[]): void {
  const present = files.find((file) => existsSync(file));
  if (present) refuse(`${present} is there already. Move it away, or give another DATA_DIR.`);
}

function refuse(why: string, cause?: unknown): never {
  throw new EmbeddedServerError('backup_refused', why, { cause });
}
