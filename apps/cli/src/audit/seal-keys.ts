import { readFileSync } from 'node:fs';
import { dataDirOf } from '@insurance-verification/environment';
import type { SealKey, VerifierKey } from '@insurance-verification/store';
import type { Command } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { readAuditSealKey, readKept } from '../service/config.ts';
import { openTerminal } from '../terminal/terminal.ts';

export interface KeyOptions {
  readonly key?: string[];
  readonly keyFile?: string;
}

/** `--key` and `--key-file`, for commands that verify. */
export function addKeyOptions(command: Command): Command {
  return command
    .option(
      '--key <verifier_key>',
      'a public key that seals are verified with, as iv audit key prints it; again for each other key; else that of this machine',
      (text: string, before?: string[]) => [...(before ?? []), text],
    )
    .option('--key-file <path>', 'a file with such keys, one a line');
}

/**
 * The keys that the options name, otherwise that of this machine.
 * @throws {WrongUsageError} when no key is given, or one is not a verifier key.
 */
export async function readKeys({ key = [], keyFile }: KeyOptions, example: string): Promise<VerifierKey[]> {
  // Imported on demand: loading the database packages takes longer than most commands.
  const { readVerifierKey } = await import('@insurance-verification/store');
  const texts = [...key, ...(keyFile === undefined ? [] : linesOf(keyFile))];
  if (texts.length === 0) return [...(await requireOwnKey(example)).verifiers];
  try {
    return texts.map(readVerifierKey);
  } catch (err) {
    if (!(err instanceof TypeError)) throw err;
    throw new WrongUsageError(
      `${keyFile === undefined ? '--key' : `--key, ${keyFile}`}: ${err.message}.\n${rightExample(example)}`,
    );
  }
}

/** The message without a key. */
const NO_KEY =
  "No key. Expected the service's key in AUDIT_SEAL_KEY or AUDIT_SEAL_KEY_FILE, or in the DATA_DIR of an embedded database; or, to verify, --key.";

/**
 * The key that the environment names, otherwise that of the embedded database in `DATA_DIR`.
 * @throws {WrongUsageError} when neither is there, or it is not a key.
 */
export async function requireOwnKey(example: string, missing = NO_KEY): Promise<SealKey> {
  const { readSealKey } = await import('@insurance-verification/store');
  const pem = readAuditSealKey(process.env) ?? readKept(dataDirOf(process.env), 'audit-seal-key');
  if (pem === undefined) throw new WrongUsageError(`${missing}\n${rightExample(example)}`);
  try {
    return readSealKey(pem);
  } catch (err) {
    if (err instanceof TypeError)
      throw new WrongUsageError(`AUDIT_SEAL_KEY: ${err.message}.\n${rightExample(example)}`);
    throw err;
  }
}

function linesOf(path: string): string[] {
  return readText(path)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** @throws {WrongUsageError} when the file cannot be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (err) {
    throw new WrongUsageError(
      `${path} cannot be read (${(err as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    );
  }
}

const SHOW_EXAMPLE = 'AUDIT_SEAL_KEY_FILE=/run/secrets/audit-seal-key iv audit key';

/** `iv audit key`: where the service's key is, and nothing else is needed. */
export function addShowSealKey(audit: Command): void {
  withExample(audit.command('key'), SHOW_EXAMPLE)
    .description(
      'print the public keys that verify the seals, for the people who verify them (AUDIT_SEAL_KEY, else that of the embedded database in DATA_DIR)',
    )
    .action(async (_options: object, command: Command) => {
      const terminal = openTerminal(command);
      const keys = (await requireOwnKey(SHOW_EXAMPLE)).verifiers.map(({ text }) => text);
      terminal.answer({ verifier_keys: keys }, keys);
    });
}
