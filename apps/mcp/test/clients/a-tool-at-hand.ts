import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A client from outside this workspace: its path, or why it is missing. */
export interface AtHand {
  /** Empty when it is missing. */
  readonly path: string;
  readonly missing: string | undefined;
}

const cache = fileURLToPath(new URL('../../node_modules/.cache/clients/', import.meta.url));

/** Runs a program to its end. @returns its stdout. @throws when it fails. */
export async function run(command: string, args: readonly string[], env = process.env): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { env, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

/**
 * The tool that `probe` finds in a folder that outlives the run. A tool not found is installed first; on a machine
 * without a package manager or a network it stays missing.
 */
export async function aToolAtHand(
  name: string,
  install: (folder: string) => Promise<unknown>,
  probe: (folder: string) => Promise<string>,
): Promise<AtHand> {
  const folder = `${cache}${name}`;
  try {
    return { path: await probe(folder), missing: undefined };
  } catch {
    try {
      await mkdir(folder, { recursive: true });
      await install(folder);
      return { path: await probe(folder), missing: undefined };
    } catch (err) {
      await rm(folder, { recursive: true, force: true }); // a half-installed tool would be found the next time
      const [reason = ''] = (err instanceof Error ? err.message : String(err)).split('\n');
      const missing = `${name} is not at hand, so nothing is tried with it: ${reason}`;
      process.stderr.write(`${missing}\n`); // the reporter does not say what is skipped
      return { path: '', missing };
    }
  }
}
