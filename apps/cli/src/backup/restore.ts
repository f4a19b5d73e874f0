import { resolve } from 'node:path';
import { dataDirOf } from '@insurance-verification/environment';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { refuseOwnDatabase } from './refuse-own-database.ts';
import { tellRefusal } from './tell-refusal.ts';
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
      const secrets = await tellRefusal('The restore', restore);
      terminal.answer({ data_dir: dataDir, secrets }, [dataDir]);
      if (terminal.json) return;
      terminal.say(
        `Restored ${resolve(folder)}. What was due when it was made is delivered by the next start.`,
      );
      if (!secrets.includes('encryption-key'))
        terminal.say(
          `The backup holds no encryption-key. Put it back at ${resolve(dataDir, 'encryption-key')}, or start with ENCRYPTION_KEY.`,
        );
    });
}
