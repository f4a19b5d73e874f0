import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A client that is no part of this workspace: where it is, or why it is not at hand. */
export interface AtHand {
  /** Empty when it is missing. */
  readonly path: string;
  readonly missing: string | undefined;
}

const cache = fileURLToPath(new URL('../../node_modules/.cache/clients/', import.meta.url));

/** Runs a program to its end. @returns what it wrote on stdout. @throws when it fails. */
export async function run(command: string, args: readonly string[], env = process.env): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { env, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

/**
 * What `probe` finds, in a folder of its own that outlives the run. What it does not find is installed first; a machine
 * that cannot, for want of a package manager or a network, has it missing.
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
      await rm(folder, { recursive: true, force: true }); // half of it would be found the next time
      const [reason = ''] = (err instanceof Error ? err.message : String(err)).split('\n');
      const missing = `${name} is not at hand, so nothing is tried with it: ${reason}`;
      process.stderr.write(`${missing}\n`); // the reporter does not name what is skipped
      return { path: '', missing };
    }
  }
}
