import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

export const root = join(import.meta.dirname, '..');

/** A copy of the repository without its sources, for the tests of a file: the rules and the packages they are about. */
export function useCopy() {
  let copy = '';

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'rules-'));
    for (const name of [
      'package.json',
      'pnpm-workspace.yaml',
      'pnpm-lock.yaml',
      'turbo.json',
      '.oxlintrc.json',
      '.ci/constant-case.js',
    ]) {
      mkdirSync(dirname(join(copy, name)), { recursive: true });
      cpSync(join(root, name), join(copy, name));
    }
    for (const folder of ['packages', 'apps']) {
      for (const name of readdirSync(join(root, folder))) {
        mkdirSync(join(copy, folder, name, 'src'), { recursive: true });
        // `docs` has pages but no sources.
        for (const file of ['package.json', 'turbo.json', 'tsconfig.json']) {
          const path = join(root, folder, name, file);
          if (existsSync(path)) cpSync(path, join(copy, folder, name, file));
        }
      }
    }
    cpSync(join(root, 'tsconfig.base.json'), join(copy, 'tsconfig.base.json'));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    execFileSync('git', ['init', '--quiet'], { cwd: copy }); // turbo lists files through git
  });

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** Runs a tool in the copy with one additional file, and removes the file again. */
  function runWith(file: string, text: string, command: string, args: readonly string[]) {
    const path = join(copy, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', command), args, {
      cwd: copy,
      encoding: 'utf8',
    });
    rmSync(path);
    return { status, output: stdout + stderr };
  }

  return { inCopy: (path: string) => join(copy, path), runWith };
}
