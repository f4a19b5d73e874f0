import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
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

/**
 * Reads the built console into memory: half a megabyte with its compressed forms, and the pictures of the help where
 * they exist; null where it is not built.
 */
export function loadConsole(): ConsoleFiles | null {
  const folders = findFolders();
  if (!folders || !existsSync(join(folders.dist, 'index.html'))) return null;
  const { dist, pictures } = folders;
  const assets = readdirSync(join(dist, 'assets'))
    .filter((name) => Object.hasOwn(TYPES, extname(name)))
    .map((name) => join(dist, 'assets', name));
  return {
    page: load(join(dist, 'index.html')),
    help: loadHelp(dist, pictures),
    assets: new Map(assets.map((path) => [relative(dist, path).replaceAll('\\', '/'), load(path)])),
  };
}

/** What the console's package exports; null in a deployment without that package. */
function findFolders(): { readonly dist: string; readonly pictures: string } | null {
  try {
    const page = import.meta.resolve('@insurance-verification/console/dist/index.html');
    const picture = import.meta.resolve('@insurance-verification/console/pictures/start.png');
    return { dist: dirname(fileURLToPath(page)), pictures: dirname(fileURLToPath(picture)) };
  } catch {
    return null;
  }
}

/** The pages of the help, with those pictures that this machine has. */
function loadHelp(dist: string, pictures: string): Map<string, ConsoleFile> {
  const shown = existsSync(pictures) ? readdirSync(pictures).filter((name) => name.endsWith('.png')) : [];
  const pages = readdirSync(join(dist, 'help')).filter((name) => name.endsWith('.html'));
  return new Map([
    ...pages.map((name): [string, ConsoleFile] => [
      basename(name, '.html'),
      loadPage(join(dist, 'help', name), shown),
    ]),
    ...shown.map((name): [string, ConsoleFile] => [`pictures/${name}`, load(join(pictures, name))]),
  ]);
}

function loadPage(path: string, shown: readonly string[]): ConsoleFile {
  const file = load(path);
  const whole = file.identity.toString('utf8');
  const text = whole.replaceAll(/<figure data-picture="([^"]+)">.*?<\/figure>/gs, (figure, picture: string) =>
    shown.includes(picture) ? figure : '',
  );
  return text === whole ? file : { ...file, identity: Buffer.from(text), br: undefined, gzip: undefined };
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
