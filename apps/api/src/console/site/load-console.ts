import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** A file of the console: plain, and compressed where the build has done so. */
export interface ConsoleFile {
  readonly type: string;
  readonly identity: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

export interface ConsoleFiles {
  /** The entry page of all addresses. */
  readonly page: ConsoleFile;
  /** By path below `/console/`; their names change with their content. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
  /** By path below `/console/help/`; `index` are the contents. */
  readonly help: ReadonlyMap<string, ConsoleFile>;
}

/** Reads the built console into memory: half a megabyte with its compressed forms; null where it is not built. */
export function loadConsole(): ConsoleFiles | null {
  const dist = findDist();
  if (dist === null || !existsSync(join(dist, 'index.html'))) return null;
  const assets = readdirSync(join(dist, 'assets'))
    .filter((name) => Object.hasOwn(TYPES, extname(name)))
    .map((name) => join(dist, 'assets', name));
  const help = readdirSync(join(dist, 'help')).filter((name) => name.endsWith('.html'));
  return {
    page: load(join(dist, 'index.html')),
    help: new Map(help.map((name) => [basename(name, '.html'), load(join(dist, 'help', name))])),
    assets: new Map(assets.map((path) => [relative(dist, path).replaceAll('\\', '/'), load(path)])),
  };
}

/** The folder that the console's package exports; null in a deployment without that package. */
function findDist(): string | null {
  try {
    return dirname(fileURLToPath(import.meta.resolve('@insurance-verification/console/dist/index.html')));
  } catch {
    return null;
  }
}

function load(path: string): ConsoleFile {
  const encoded = (suffix: string) =>
    existsSync(`${path}${suffix}`) ? readFileSync(`${path}${suffix}`) : undefined;
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    identity: readFileSync(path),
    br: encoded('.br'),
    gzip: encoded('.gz'),
  };
}
