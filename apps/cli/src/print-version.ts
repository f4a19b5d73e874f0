import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';

/** Prints the version of the client that this program was built with. @throws {CommanderError} with exit code 0. */
export function printVersion(): never {
  const path = fileURLToPath(import.meta.resolve('@insurance-verification/client/package.json'));
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  process.stdout.write(`${version}\n`);
  throw new CommanderError(0, 'commander.version', version);
}
