import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Next to this program's own package, in the workspace and when deployed. */
const dist = fileURLToPath(new URL('../../../../console/dist/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** One file as it is sent: plain, and compressed where the build did that. */
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
}

/** Reads the built console into memory, half a megabyte with its encodings; null if it is not built. */
export function loadConsole(): ConsoleFiles | null {
  if (!existsSync(join(dist, 'index.html'))) return null;
  const assets = readdirSync(join(dist, 'assets'))
    .filter((name) => Object.hasOwn(TYPES, extname(name)))
    .map((name) => join(dist, 'assets', name));
  return {
    page: load(join(dist, 'index.html')),
    assets: new Map(assets.map((path) => [relative(dist, path).replaceAll('\\', '/'), load(path)])),
  };
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
