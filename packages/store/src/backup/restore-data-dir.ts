import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  acquireOwnerLock,
  EmbeddedServerError,
  makeServerFolder,
  readMark,
  UNFINISHED_PREFIX,
} from '@insurance-verification/embedded-postgres';
import { extract } from 'tar';
import { type KeptErasure, openErasureFile } from '../audit/erasure-file.ts';
import { SCHEMA_MARK } from '../schema/embedded-server.ts';
import { BACKUP_ARCHIVE, copyKeys, type KeyName, keysIn } from './backup-folder.ts';

export interface RestoreOptions {
  /** A backup made by `backUpDataDir`. */
  readonly folder: string;
  /** The service's `DATA_DIR`; created if missing. Existing files are never overwritten. */
  readonly dataDir: string;
  /** The file of the audit's seals, if there is one: the erasures next to it are held against the backup. */
  readonly sealFile?: string | undefined;
  /** Aborts the restore: removes what it wrote, and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The keys of a restored data directory. */
export interface Restored {
  /** Those that the backup held. */
  readonly keys: readonly KeyName[];
  /** Those that are not there. Not every database was made with each. */
  readonly missing: readonly KeyName[];
  /** Erasures after the backup began, as far as they are kept: the data of their requests is there again. */
  readonly lostErasures: readonly KeptErasure[];
}

/**
 * Turns a backup into a data directory that the next start can use. The database appears once it is complete; leftovers
 * of a killed restore are removed by the next restore or start.
 * @throws EmbeddedServerError `backup_refused`; then there is no database
 */
export async function restoreDataDir({
  folder,
  dataDir,
  sealFile,
  signal,
}: RestoreOptions): Promise<Restored> {
  const archive = path.resolve(folder, BACKUP_ARCHIVE);
  if (!existsSync(archive)) refuse(`${path.resolve(folder)} is no backup: it has no ${BACKUP_ARCHIVE}.`);
  const target = path.resolve(dataDir);
  const clusterDir = path.join(target, 'postgres', 'cluster');
  const { present: keys } = keysIn(folder);
  const laid = keys.map((name) => path.join(target, name));
  refusePresent([clusterDir, ...laid]);

  const lock = await acquireOwnerLock(makeServerFolder(dataDir));
  try {
    refusePresent([clusterDir, ...laid]); // a start may have created them before the lock was taken
    const unfinished = await mkdtemp(path.join(target, 'postgres', UNFINISHED_PREFIX));
    try {
      await chmod(unfinished, 0o700); // PostgreSQL refuses wider permissions
      // The next start sets the owners: on another machine the archive's uids belong to other users.
      const filter = () => !signal?.aborted; // what is left of the archive is read then, and not written
      await extract({ file: archive, cwd: unfinished, strict: true, preserveOwner: false, filter });
      signal?.throwIfAborted();
    } catch (err) {
      // Writes still in progress at the failure may add files.
      await rm(unfinished, { recursive: true, force: true, maxRetries: 10 });
      signal?.throwIfAborted();
      const reason = err instanceof Error ? err.message : String(err);
      refuse(`${archive} is not whole: ${reason}.`, err);
    }
    try {
      SCHEMA_MARK.check(readMark(unfinished, SCHEMA_MARK), `The backup in ${path.resolve(folder)}`);
    } catch (err) {
      await rm(unfinished, { recursive: true, force: true });
      throw err;
    }
    try {
      await copyKeys(keys, { from: folder, to: target });
      signal?.throwIfAborted();
      const lostErasures = await erasuresSince(sealFile, unfinished);
      await rename(unfinished, clusterDir);
      return { keys, missing: keysIn(target).missing, lostErasures };
    } catch (err) {
      // None of these files existed before. Left in place, they would make the next restore refuse, and a start would
      // create an empty database next to them.
      for (const file of [unfinished, ...laid]) await rm(file, { recursive: true, force: true });
      signal?.throwIfAborted();
      const reason = err instanceof Error ? err.message : String(err);
      refuse(`${path.resolve(folder)} could not be laid out in ${target}: ${reason}.`, err);
    }
  } finally {
    lock.release();
  }
}

/** PostgreSQL writes its label when a backup begins, and the archive keeps the time. */
async function erasuresSince(
  sealFile: string | undefined,
  clusterDir: string,
): Promise<readonly KeptErasure[]> {
  if (sealFile === undefined) return [];
  const file = openErasureFile(sealFile);
  if (!existsSync(file.path)) return []; // a read would make it
  const { mtime: begunAt } = await stat(path.join(clusterDir, 'backup_label'));
  return (await file.read()).filter(({ erasedAt }) => erasedAt >= begunAt);
}

function refusePresent(files: readonly string[]): void {
  const present = files.find((file) => existsSync(file));
  if (present) refuse(`${present} is there already. Move it away, or give another DATA_DIR.`);
}

function refuse(why: string, cause?: unknown): never {
  throw new EmbeddedServerError('backup_refused', why, { cause });
}
