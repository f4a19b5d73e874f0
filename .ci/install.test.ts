import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// Installs a clone from pnpm's store: only running both ways to install shows whether they work together.

const root = join(import.meta.dirname, '..');
let clone: string;

beforeAll(() => {
  // On the disk of the store: elsewhere pnpm copies each file instead of linking it.
  clone = mkdtempSync(join(realpathSync(offline.pnpm_config_store_dir), 'clone-'));
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.trim().split('\n')) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(clone, file));
  }
});
afterAll(() => rmSync(clone, { recursive: true, force: true }), 60_000); // 300 MB, on a disk that may be busy

/** Runs a command in the clone, with the clone's programs first on the path as under pnpm. */
function run(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: clone,
    encoding: 'utf8',
    env: {
      PATH: `${join(clone, 'node_modules/.bin')}:${process.env['PATH']}`,
      HOME: process.env['HOME'],
      ...env,
    },
  });
  return { status, stdout, stderr };
}

// The store that the root was installed from, whichever variables named it: turbo passes none of them on.
const installed = JSON.parse(readFileSync(join(root, 'node_modules/.modules.yaml'), 'utf8')) as {
  storeDir: string;
};
const offline = { pnpm_config_offline: 'true', pnpm_config_store_dir: dirname(installed.storeDir) };
/** `iv --help`, as pnpm runs it. */
const iv = () =>
  run('node', ['.ci/run-script.js', 'apps/cli/src/main.js', '--help'], {
    ...offline,
    npm_config_user_agent: 'pnpm/12.21.0',
  });
const HELP = expect.stringMatching(/^Usage: iv /) as string;
const program = (path: string, args: readonly string[], env?: Record<string, string>) =>
  run('node', ['--conditions=@insurance-verification/source', path, ...args], env);
/** The files of a folder, by inode: pnpm has one file under several names. Links are not followed. */
function filesOf(folder: string): [inode: number, bytes: number][] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): [number, number][] => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesOf(path);
    if (!entry.isFile()) return [];
    const { ino, size } = statSync(path);
    return [[ino, size]];
  });
}
const has = (path: string) => existsSync(join(clone, path));

describe('what runs is installed without what tests', () => {
  test('a fresh clone gets the runtime and no tool', () => {
    expect(iv()).toMatchObject({ status: 0, stdout: HELP });
    expect(has('node_modules/.bin/node')).toBe(true);
    const tools = ['node_modules/vitest', 'node_modules/turbo', 'apps/api/node_modules/playwright-core'];
    expect(tools.filter(has)).toEqual([]);
  });

  // A dependency that brings a tree along would make the first start wait for it.
  test('it takes 400 MB at most', () => {
    const folders = globSync('{,apps/*/,packages/*/}node_modules', { cwd: clone });
    const sizes = new Map(folders.flatMap((folder) => filesOf(join(clone, folder)))).values();
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(400e6);
  });

  test('the three programs find all that they import', () => {
    const api = program('apps/api/src/main.js', [], { PORT: 'none' });
    expect(api.stderr).toContain('PORT');
    expect(program('apps/cli/src/main.js', ['--help'])).toMatchObject({ status: 0, stderr: '' });
    expect(program('apps/mcp/src/main.ts', ['--nonsense']).stderr).not.toContain('ERR_MODULE_NOT_FOUND');
  });

  // The freshly started service builds the console from what is installed, and nothing else.
  test('the console is built with what is there', () => {
    expect(program('apps/console/build/main.ts', [])).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(has('apps/console/dist/index.html')).toBe(true);
  });

  test('a second time is silent, and changes nothing', () => {
    expect(iv()).toEqual({ status: 0, stdout: HELP, stderr: '' });
    expect(has('node_modules/vitest')).toBe(false);
  });

  test('the tests’ install adds the tools, and a start after it leaves them', () => {
    expect(run('pnpm', ['install', '--frozen-lockfile', '--trust-lockfile'], offline)).toMatchObject({
      status: 0,
    });
    expect(has('node_modules/vitest')).toBe(true);
    expect(iv()).toEqual({ status: 0, stdout: HELP, stderr: '' });
    expect(has('node_modules/vitest')).toBe(true);
  });
});

describe('the lockfile', () => {
  const text = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');

  // A new dependency of a later version would silently bring some of the 268 packages back.
  test('takes the reference page’s bundle without the packages it was built from', () => {
    expect(text).toMatch(/^ {2}'@scalar\/api-reference@[^:]+: \{\}$/m);
  });

  // The published packages have zod as a peer, whose range pnpm resolves here: two copies reject each other's schemas.
  test('has one zod', () => {
    expect([...text.matchAll(/^ {2}zod@(.+):$/gm)]).toHaveLength(1);
  });
});
