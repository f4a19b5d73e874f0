import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFlagsIn } from './start-flags.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A version of the service that processes can be started from. */
export interface Version {
  /** The commit, shortened. */
  readonly commit: string;
  /** Node with its arguments, as in that version's `pnpm start`. */
  readonly command: readonly [string, ...string[]];
}

/** A commit's shortened id; undefined when the clone does not have the commit. */
export function findCommit(name: string): string | undefined {
  const words = ['rev-parse', '--short=8', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { status, stdout } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Checks a commit out next to the working tree and installs what it needs; it is removed with the stack. */
export function checkOut(stack: AsyncDisposableStack, commit: string, folder: string): Version {
  run(ROOT, 'git', 'worktree', 'add', '--detach', folder, commit);
  stack.defer(() => void run(ROOT, 'git', 'worktree', 'remove', '--force', folder));
  run(folder, 'pnpm', 'install', '--frozen-lockfile', '--trust-lockfile', '--prefer-offline');
  return { commit, command: commandIn(folder) };
}

function commandIn(folder: string): Version['command'] {
  const node = join(folder, 'node_modules/.bin/node');
  return [node, ...startFlagsIn(folder), join(folder, 'apps/api/src/main.js')];
}

function run(cwd: string, program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr || stdout}`);
}
