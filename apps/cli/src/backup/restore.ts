import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { dataDirOf } from '@insurance-verification/environment';
import type { Restored } from '@insurance-verification/store';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { explainRefusal } from './explain-refusal.ts';
import { refuseOwnDatabase } from './refuse-own-database.ts';
import { untilSignal } from './until-signal.ts';

const EXAMPLE = 'DATA_DIR=.data iv restore backups/2026-11-22';

/** `iv restore <folder>`: turns a backup made by `iv backup` into a data directory. */
export function addRestore(program: Command): void {
  withExample(program.command('restore'), EXAMPLE)
    .description(
      'lay a backup of the embedded database out as DATA_DIR, where none is; the next start goes on with it',
    )
    .argument('<folder>', 'a backup that `iv backup` made')
    .action(async (folder: string, _options: object, command: Command) => {
      const terminal = openTerminal(command);
      refuseOwnDatabase(process.env, 'pg_restore', EXAMPLE);
      const dataDir = resolve(dataDirOf(process.env));
      // Imported on demand: loading the database packages takes longer than most commands.
      const { restoreDataDir } = await import('@insurance-verification/store');
      const restore = untilSignal((signal) => restoreDataDir({ folder, dataDir, signal }));
      const { keys, missing } = await explainRefusal('The restore', restore);
      terminal.answer({ data_dir: dataDir, keys, missing }, [dataDir]);
      if (terminal.json) return;
      terminal.say(
        `Restored ${resolve(folder)}. What was due when it was made is delivered by the next start.`,
      );
      if (existsSync(resolve(dataDir, 'audit-seals.jsonl')))
        terminal.say(
          'audit-seals.jsonl has later seals than the backup: the service seals nothing until iv audit resume --reason <why>.',
        );
      for (const name of missing) terminal.say(`${name} is missing: ${wayOf(name, resolve(dataDir, name))}`);
    });
}

/** What a key that is not there means, and how it is brought. */
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
