import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { dataDirOf, sealFileOf } from '@insurance-verification/environment';
import { escapeHidden } from '@insurance-verification/schema';
import type { Restored } from '@insurance-verification/store';
import type { Command } from 'commander';
import { sayLostErasures, toJson } from '../audit/lost-erasures.ts';
import { rightExample, withExample } from '../example.ts';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { readDatabaseUrl } from '../service/config.ts';
import { openTerminal } from '../terminal/terminal.ts';

const BACKUP_EXAMPLE = 'iv backup backups/2026-11-22';

/** `iv backup <folder>`: backs up the embedded database while its service runs. */
export function addBackup(program: Command): void {
  withExample(program.command('backup'), BACKUP_EXAMPLE)
    .description(
      'copy the embedded database (in DATA_DIR) to a new folder, without the keys next to it; the service may run',
    )
    .argument('<folder>', 'made by this; it must not exist, or be empty')
    .option('--with-keys', 'copy the keys as well: then the holder of the backup reads everything')
    .action(async (folder: string, { withKeys }: { withKeys?: true }, command: Command) => {
      const terminal = openTerminal(command);
      refuseOwnDatabase(process.env, 'pg_dump', BACKUP_EXAMPLE);
      const dataDir = resolve(dataDirOf(process.env));
      // Imported on demand: loading the database packages takes longer than most commands.
      const { backUpDataDir } = await import('@insurance-verification/store');
      const backup = untilSignal((signal) =>
        backUpDataDir({ dataDir, folder, withKeys: withKeys === true, signal }),
      );
      const { byteCount, keys, leftOut } = await explainRefusal('The backup', backup);
      const target = resolve(folder);
      terminal.answer(
        { folder: target, data_dir: dataDir, database_bytes: byteCount, keys, left_out: leftOut },
        [target],
      );
      if (terminal.json) return;
      terminal.say(`Backed up ${dataDir}: ${(byteCount / 1e6).toFixed(1)} MB.`);
      if (keys.length > 0)
        terminal.say(
          `It holds keys: ${keys.join(', ')}. Its holder reads everything and writes the audit: keep it as you keep them.`,
        );
      if (leftOut.length > 0) {
        terminal.say(
          'It holds no key. A restore needs these, so keep a copy of each, apart from the backup:',
        );
        for (const name of leftOut) terminal.say(`  ${resolve(dataDir, name)}`);
      }
      if (!existsSync(resolve(dataDir, 'encryption-key')))
        terminal.say(
          'Patients’ data in it is encrypted with the ENCRYPTION_KEY of the service: keep that one, too.',
        );
    });
}

const RESTORE_EXAMPLE = 'DATA_DIR=.data iv restore backups/2026-11-22';

/** `iv restore <folder>`: turns a backup made by `iv backup` into a data directory. */
export function addRestore(program: Command): void {
  withExample(program.command('restore'), RESTORE_EXAMPLE)
    .description(
      'lay a backup of the embedded database out as DATA_DIR, where none is, and name what was erased since; the next start continues with it',
    )
    .argument('<folder>', 'a backup that `iv backup` made')
    .action(async (folder: string, _options: object, command: Command) => {
      const terminal = openTerminal(command);
      refuseOwnDatabase(process.env, 'pg_restore', RESTORE_EXAMPLE);
      const dataDir = resolve(dataDirOf(process.env));
      // Imported on demand: loading the database packages takes longer than most commands.
      const { restoreDataDir } = await import('@insurance-verification/store');
      const sealFile = sealFileOf(process.env);
      const restore = untilSignal((signal) => restoreDataDir({ folder, dataDir, sealFile, signal }));
      const { keys, missing, lostErasures } = await explainRefusal('The restore', restore);
      terminal.answer({ data_dir: dataDir, keys, missing, lost_erasures: lostErasures.map(toJson) }, [
        dataDir,
      ]);
      if (terminal.json) return;
      terminal.say(
        `Restored ${resolve(folder)}. What was due when it was made is delivered by the next start.`,
      );
      if (existsSync(resolve(dataDir, 'audit-seals.jsonl')))
        terminal.say(
          'audit-seals.jsonl has later seals than the backup: the service seals nothing until iv audit resume --reason <why>.',
        );
      sayLostErasures(terminal, lostErasures);
      for (const name of missing) terminal.say(`${name} is missing: ${wayOf(name, resolve(dataDir, name))}`);
    });
}

/** The effect of a missing key, and how to put it back. */
function wayOf(name: Restored['missing'][number], path: string): string {
  switch (name) {
    case 'encryption-key':
      return `patients’ data cannot be read without it. Put it back at ${path}, or start with ENCRYPTION_KEY.`;
    case 'audit-seal-key':
      return `the next start seals the audit with another. Put it back at ${path} before, or start with AUDIT_SEAL_KEY.`;
    case 'api-key':
      return `iv asks for one. Put it back at ${path}, or make another with \`iv keys first --replace\` once the service runs.`;
    case 'test-api-key':
      return `put it back at ${path}, or make another with \`iv keys create\` for the account for tests.`;
  }
}

/**
 * These commands handle the embedded database only; an operator who configured another one expects that one.
 * @throws {WrongUsageError} when the environment configures a database.
 */
function refuseOwnDatabase(environment: NodeJS.ProcessEnv, tool: string, example: string): void {
  if (readDatabaseUrl(environment) === undefined) return;
  throw new WrongUsageError(
    `DATABASE_URL or DATABASE_DIRECT_URL is set, and this command is for the embedded database in DATA_DIR. Expected neither; ` +
      `${tool} does it for a PostgreSQL of your own.\n${rightExample(example)}`,
  );
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that a signal aborts. The process ends only after the work has removed its leftovers, however often Ctrl-C
 * is pressed meanwhile.
 */
async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const end = (name: NodeJS.Signals) => abort.abort(new Error(`ended by ${name}, and nothing is left of it`));
  for (const name of SIGNALS) process.on(name, end);
  try {
    return await work(abort.signal);
  } catch (err) {
    throw abort.signal.aborted ? abort.signal.reason : err;
  } finally {
    for (const name of SIGNALS) process.off(name, end);
  }
}

/** On failure, adds which operation failed and keeps the cause's message, which names the remedy. */
async function explainRefusal<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (err) {
    if (err instanceof Error) throw new CommandFailedError(`${what} failed: ${escapeHidden(err.message)}`);
    throw err;
  }
}
