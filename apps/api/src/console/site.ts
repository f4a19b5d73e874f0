import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import { basename, dirname, extname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.ts';
import type { Log } from '../telemetry/log.ts';

/** The state of this process's console. */
export type ConsoleState =
  /** Not opened yet, or production without a built console. */
  | { readonly kind: 'off' }
  | { readonly kind: 'building' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'served'; readonly files: ConsoleFiles };

/** The console's pages, and how they get built. */
export interface ConsoleSite {
  readonly state: ConsoleState;
  /**
   * Prepares the console and serves it. Called once the service is up: outside production the pages are built in a
   * separate process if they are missing or older than their sources. Never rejects; a failure is logged and shown.
   */
  open(): Promise<void>;
  /** Aborts a build under way. */
  close(): Promise<void>;
}

export function createConsoleSite(
  { production }: Pick<Config, 'production'>,
  log: Log,
  build: (signal: AbortSignal) => Promise<void> = buildConsole,
): ConsoleSite {
  let state: ConsoleState = { kind: 'off' };
  const closing = new AbortController();
  let opening: Promise<void> | undefined;

  const open = async () => {
    try {
      if (!production) {
        state = { kind: 'building' };
        await build(closing.signal);
      }
      const files = loadConsole();
      if (files) state = { kind: 'served', files };
      else log.info('the console is off: it is not built, and production never builds');
    } catch (err) {
      if (closing.signal.aborted) return;
      const reason = err instanceof Error ? err.message : String(err);
      state = { kind: 'failed', reason };
      log.error({ reason }, 'the console could not be built; everything else is served');
    }
  };
  return {
    get state() {
      return state;
    },
    open: () => (opening ??= open()),
    close: async () => {
      closing.abort();
      await opening;
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
};

/** A file of the console: plain, and compressed where the build has done so. */
export interface ConsoleFile {
  readonly type: string;
  readonly identity: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

interface ConsoleFiles {
  /** The entry page of all addresses. */
  readonly page: ConsoleFile;
  /** By path below `/console/`; their names change with their content. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
  /** By path below `/console/help/`; `index` are the contents. */
  readonly help: ReadonlyMap<string, ConsoleFile>;
  /** The guides, by path below `/docs/`: `webhooks.html`, `webhooks.md`, `search.json`. */
  readonly guides: ReadonlyMap<string, ConsoleFile>;
}

/** Reads the built console into memory: half a megabyte with its compressed forms; null where it is not built. */
function loadConsole(): ConsoleFiles | null {
  const dist = findDist();
  if (dist === null || !existsSync(join(dist, 'index.html'))) return null;
  const assets = readdirSync(join(dist, 'assets'))
    .filter((name) => Object.hasOwn(TYPES, extname(name)))
    .map((name) => join(dist, 'assets', name));
  const help = readdirSync(join(dist, 'help')).filter((name) => name.endsWith('.html'));
  const guides = readdirSync(join(dist, 'docs')).filter((name) => Object.hasOwn(TYPES, extname(name)));
  return {
    page: load(join(dist, 'index.html')),
    help: new Map(help.map((name) => [basename(name, '.html'), load(join(dist, 'help', name))])),
    guides: new Map(guides.map((name) => [name, load(join(dist, 'docs', name))])),
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

/** Maximum characters kept of a failed build's output. */
const REASON_LENGTH_MAX = 2_000;

/**
 * Builds the console if it is missing or older than its sources; otherwise takes a tenth of a second. Runs as a
 * separate, low-priority process: 2 s of a bundler on every core would otherwise be the first thing that callers wait
 * for.
 * @throws Error with the end of the build's output.
 */
export async function buildConsole(
  signal: AbortSignal,
  program = fileURLToPath(import.meta.resolve('@insurance-verification/console/build')),
): Promise<void> {
  const cache = getCompileCacheDir();
  const child = spawn(process.execPath, ['--conditions=@insurance-verification/source', program], {
    // The service's configuration is no business of a bundler; what Node has compiled halves a look at what is built.
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  const exited = once(child, 'exit');
  if (child.pid !== undefined) lowerPriority(child.pid);
  const [said, [code, killedBy]] = await Promise.all([text(child.stderr), exited]);
  if (code !== 0) throw new Error(said.trim().slice(-REASON_LENGTH_MAX) || `ended by ${killedBy ?? code}`);
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 10);
  } catch {
    // The process has ended already, or the machine forbids it: the build then runs at our own priority.
  }
}
