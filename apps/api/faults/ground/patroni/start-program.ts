import { spawn } from 'node:child_process';
import { appendFileSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nobody } from '../nobody.ts';

/** A folder that the cluster's programs may write. */
export function aPlace(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (nobody.uid !== undefined && nobody.gid !== undefined) chownSync(folder, nobody.uid, nobody.gid);
  return folder;
}

/** Where a program works, and the row whose end is its end. */
export interface Place {
  readonly stack: AsyncDisposableStack;
  readonly folder: string;
}

/**
 * Starts a program that works in a folder and writes its log there. It ends with everything else in the folder, so
 * nothing starts once the row ends; its own process group keeps a Ctrl-C of the suite from it.
 */
export function startProgram({ stack, folder }: Place, command: string, args: readonly string[]): void {
  if (stack.disposed) throw new Error('The row has ended.');
  const log = openSync(logOf(folder), 'a');
  try {
    const child = spawn(command, args, {
      cwd: folder,
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, LC_ALL: 'C.UTF-8' },
      detached: true,
      ...nobody,
    });
    // Whoever waits for it in vain shows its log.
    child.once('error', (err) => appendFileSync(logOf(folder), err.message));
    child.unref();
  } finally {
    closeSync(log);
  }
}

const logOf = (folder: string) => join(folder, 'log');

/** The end of what the program in a folder has said, or why it could not be started. */
export const lastWordsIn = (folder: string): string =>
  existsSync(logOf(folder)) ? readFileSync(logOf(folder), 'utf8').slice(-2_000) : 'not started';
