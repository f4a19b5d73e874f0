import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const cache = fileURLToPath(new URL('../../node_modules/.cache/clients/', import.meta.url));

/** Runs a program to its end. @returns its stdout. @throws when it fails. */
export async function run(command: string, args: readonly string[], env = process.env): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { env, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

/**
 * The path of a client from outside this workspace, which `probe` finds in a folder that outlives the run. One that is
 * not there is installed first. @throws when it cannot be had.
 */
export async function aToolAtHand(
  name: string,
  install: (folder: string) => Promise<unknown>,
  probe: (folder: string) => Promise<string>,
): Promise<string> {
  const folder = `${cache}${name}`;
  const known = await probe(folder).catch(() => null);
  if (known !== null) return known;
  try {
    await mkdir(folder, { recursive: true });
    await install(folder);
    return await probe(folder);
  } catch (err) {
    await rm(folder, { recursive: true, force: true }); // a half-installed tool would be found the next time
    throw err;
  }
}
