import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeFolder } from '../cluster/make-folder.ts';
import { EmbeddedServerError, OWN_SERVER_HINT } from '../embedded-server-error.ts';
import type { ServerUser } from '../process/choose-server-user.ts';
import { binariesIn, type Binaries } from './locate-binaries.ts';

/**
 * Binaries that the server's user can run: the package's own, or a copy when that user cannot reach the checkout. The
 * copy (some 58 MB, 0.1 s) is cached per build in a system folder; losing it costs another copy.
 *
 * The working-directory trick that keeps the cluster in place does not help here: the dynamic linker and PostgreSQL
 * both resolve the program's real path to find libraries and `share`.
 *
 * @throws EmbeddedServerError `binaries_missing` when no folder can take an executable copy
 */
export function reachableBinaries(
  binaries: Binaries,
  user: ServerUser,
  cacheDirs: string[] = [
    '/var/cache/insurance-verification',
    path.join(os.tmpdir(), 'insurance-verification'),
  ],
): Binaries {
  if (user === null || canRun(binaries, user)) return binaries;
  const failures: string[] = [];
  for (const cacheDir of cacheDirs) {
    try {
      const copy = copyInto(cacheDir, binaries);
      if (canRun(copy, user)) return copy;
      failures.push(`${cacheDir}: not executable there`);
    } catch (err) {
      failures.push(`${cacheDir}: ${err instanceof Error ? err.message : String(err)}`);
    }
  }
  throw new EmbeddedServerError(
    'binaries_missing',
    `PostgreSQL does not run as root, the user with uid ${user.uid} cannot run it from ${binaries.nativeDir}, and no copy could be made (${failures.join('; ')}). ${OWN_SERVER_HINT}`,
  );
}

function canRun(binaries: Binaries, user: NonNullable<ServerUser>): boolean {
  const probe = spawnSync(binaries.initdb, ['--version'], {
    cwd: '/',
    env: { LC_ALL: 'C' },
    uid: user.uid,
    gid: user.gid,
    stdio: 'ignore',
  });
  return probe.status === 0;
}

function copyInto(cacheDir: string, binaries: Binaries): Binaries {
  makeFolder(cacheDir, 0o755);
  const folder = lstatSync(cacheDir);
  if (!folder.isDirectory() || folder.uid !== process.getuid?.() || (folder.mode & 0o022) !== 0) {
    // In a world-writable tmp anyone may have created a folder of this name.
    throw new Error('it is not a folder that only this user can write');
  }
  chmodSync(cacheDir, 0o755);
  const target = path.join(cacheDir, binaries.build);
  if (lstatSync(target, { throwIfNoEntry: false }) === undefined) {
    const unfinished = mkdtempSync(`${target}-unfinished-`);
    try {
      cpSync(binaries.nativeDir, unfinished, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (source) => !source.endsWith('.a'),
      });
      openToEverybody(unfinished);
      renameSync(unfinished, target);
    } catch (err) {
      rmSync(unfinished, { recursive: true, force: true });
      // Another program finished the same copy first.
      if (lstatSync(target, { throwIfNoEntry: false }) === undefined) throw err;
    }
  }
  return binariesIn(target, binaries.build);
}

/** Needed because a umask of 077 also closes the package's own files to others. */
function openToEverybody(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const isExecutable = entry.isDirectory() || (lstatSync(file).mode & 0o100) !== 0;
    chmodSync(file, isExecutable ? 0o755 : 0o644);
  }
}
