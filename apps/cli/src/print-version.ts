import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';

/**
 * Prints the version of the OpenAPI document that this program was built with. @throws {CommanderError} with exit code
 * 0.
 */
export function printVersion(): never {
  const path = fileURLToPath(import.meta.resolve('@insurance-verification/client/openapi.json'));
  const { info } = JSON.parse(readFileSync(path, 'utf8')) as { info: { version: string } };
  process.stdout.write(`${info.version}\n`);
  throw new CommanderError(0, 'commander.version', info.version);
}
