import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

export const root = join(import.meta.dirname, '..');
export const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The agent of the package manager that the scripts are for. */
export const PNPM = 'pnpm/12.21.0 npm/? node/? linux x64';

const PROGRAMS = ['apps/api/src/main.js', 'apps/cli/src/main.js', 'apps/api/bench/main.ts', 'bin/vitest'];
const PRINTS_FLAGS = 'console.log(JSON.stringify(process.execArgv))';

/** For each test of a file a clone of its own, and what runs its scripts. */
export function useClone() {
  /** A clone where nothing is installed, whose pnpm only prints what it was asked for. */
  let clone = '';
  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'clone-'));
    for (const path of ['.ci/run-script.js', 'apps/api/node-flags'])
      cpSync(join(root, path), join(clone, path));
    write('package.json', '{"type":"module"}');
    write('packages/one/package.json', '{}');
    write('bin/pnpm', '#!/bin/sh\necho "pnpm $*"\n');
    symlinkSync(process.execPath, join(clone, 'bin/node'));
    programs(PRINTS_FLAGS);
  });
  afterEach(() => rmSync(clone, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text, { mode: 0o755 });
  }

  /** Makes each program of the clone this one. */
  function programs(text: string): void {
    for (const path of PROGRAMS) write(path, `#!/usr/bin/env node\n${text}\n`);
  }

  function isInstalled(): void {
    write('node_modules/.pnpm-workspace-state-v1.json', '{}');
    write('node_modules/.bin/node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  }

  /** What runs a script of package.json in the clone, as the package manager with this agent does. */
  const commandOf = (event: string, agent: string, env: Readonly<Record<string, string>> = {}) =>
    [
      '/bin/sh',
      ['-c', scripts[event] ?? ''],
      {
        cwd: clone,
        env: {
          PATH: `${join(clone, 'bin')}:/usr/bin:/bin`,
          npm_config_user_agent: agent,
          npm_lifecycle_event: event,
          ...env,
        },
      },
    ] as const;

  function run(event: string, agent = PNPM, env?: Readonly<Record<string, string>>) {
    const [command, args, options] = commandOf(event, agent, env);
    const { status, signal, stdout, stderr } = spawnSync(command, args, {
      ...options,
      encoding: 'utf8',
      input: 'typed',
    });
    return { status, signal, stdout, stderr };
  }

  return { commandOf, folder: () => clone, isInstalled, programs, run, write };
}
