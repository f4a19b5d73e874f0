import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLIENTS = fileURLToPath(new URL('../node_modules/.cache/clients/', import.meta.url));

/** Milliseconds for an install: a hundred MB, over any network. */
export const INSTALL_PATIENCE_MS = 600_000;

/** Runs a program to its end. @returns its stdout. @throws when it fails. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = process.env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

/**
 * A third party's client of this service, which is not a dependency. Only a machine's first run installs it, so only
 * `test:clients` may call this: `test` downloads nothing.
 * @param name with its version
 * @param install into an empty folder, which must keep its path: a Python environment has it in its scripts
 * @returns the folder
 * @throws when it cannot be installed
 */
export async function installOnce(
  name: string,
  install: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = `${CLIENTS}${name}`;
  const whole = `${folder}/installed`;
  if (existsSync(whole)) return folder;
  await rm(folder, { recursive: true, force: true }); // of an install that did not end
  await mkdir(folder, { recursive: true });
  await install(folder);
  await writeFile(whole, '');
  return folder;
}
