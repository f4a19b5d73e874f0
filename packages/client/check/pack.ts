import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, realpath, symlink } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const workspaceRoot = fileURLToPath(new URL('../../../', import.meta.url));
const clientRoot = fileURLToPath(new URL('..', import.meta.url));

/** Where the tools of the workspace and of this package are, before what the machine has. */
const PATH = [
  join(clientRoot, 'node_modules/.bin'),
  join(workspaceRoot, 'node_modules/.bin'),
  dirname(process.execPath),
  process.env['PATH'],
].join(delimiter);

/** What a tool wrote, on both streams. @throws an error with it when the tool fails. */
export async function run(cwd: string, command: string, args: readonly string[]): Promise<string> {
  // Without what vitest puts there: a consumer's machine has none of it.
  const { NODE_OPTIONS: _options, NODE_ENV: _mode, ...env } = process.env;
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, {
      cwd,
      // The compiler's collector, which runs a quarter as often, is a third of its CPU.
      env: { ...env, PATH, GOGC: '400' },
      maxBuffer: 2 ** 26,
    });
    return `${stdout}${stderr}`;
  } catch (err) {
    const { stdout, stderr } = err as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout ?? ''}${stderr ?? ''}`, { cause: err });
  }
}

/** Runs the pnpm that runs this test, or else the one on the path. */
export async function runPnpm(cwd: string, args: readonly string[]): Promise<string> {
  const running = process.env['npm_execpath'] ?? '';
  return run(cwd, basename(running).startsWith('pnpm') ? running : 'pnpm', args);
}

/** The packages that are published, each after those it needs. */
export const PUBLISHED = ['schema', 'webhook', 'x12', 'client'] as const;
export type Published = (typeof PUBLISHED)[number];

/**
 * Packs the published packages as a release does, which builds them, from a copy: in the workspace a `dist` may hold
 * files of sources that are gone, and others read it while this runs. Gives each package's tarball.
 */
export async function packPublished(folder: string): Promise<Record<Published, string>> {
  const copy = join(folder, 'release');
  for (const file of ['package.json', 'pnpm-workspace.yaml', 'tsconfig.base.json', 'LICENSE']) {
    await cp(join(workspaceRoot, file), join(copy, file));
  }
  for (const name of PUBLISHED) await copyPackage(name, join(copy, 'packages'));
  const tarballs = {} as Record<Published, string>;
  for (const name of PUBLISHED) {
    tarballs[name] = join(folder, `${name}.tgz`);
    await runPnpm(join(copy, 'packages', name), ['pack', '--out', tarballs[name]]);
  }
  return tarballs;
}

async function copyPackage(name: Published, packages: string): Promise<void> {
  const source = join(workspaceRoot, 'packages', name);
  const isMade = (path: string) =>
    /^(node_modules|dist|.*\.tsbuildinfo)$/.test(path.slice(source.length + 1));
  await cp(source, join(packages, name), { recursive: true, filter: (path) => !isMade(path) });
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
  for (const dependency of Object.keys({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
    ...peerDependencies,
  })) {
    const link = join(packages, name, 'node_modules', dependency);
    await mkdir(dirname(link), { recursive: true });
    const [, sibling] = dependency.split('@insurance-verification/');
    const isPacked = PUBLISHED.some((published) => published === sibling);
    await symlink(isPacked ? join(packages, sibling ?? '') : await installedAt(name, dependency), link);
  }
}

/** The folder of a dependency as the workspace has it installed: then no registry is needed for it. */
export function installedAt(name: Published, dependency: string): Promise<string> {
  return realpath(join(workspaceRoot, 'packages', name, 'node_modules', dependency));
}
