import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { dataDirOf } from '@insurance-verification/environment';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { explainRefusal } from './explain-refusal.ts';
import { refuseOwnDatabase } from './refuse-own-database.ts';
import { untilSignal } from './until-signal.ts';

const EXAMPLE = 'iv backup backups/2026-11-22';

/** `iv backup <folder>`: backs up the embedded database while its service runs. */
export function addBackup(program: Command): void {
  withExample(program.command('backup'), EXAMPLE)
    .description(
      'copy the embedded database (in DATA_DIR) to a new folder, without the keys beside it; the service may go on',
    )
    .argument('<folder>', 'made by this; it must not exist, or be empty')
    .option('--with-keys', 'copy the keys as well: then whoever has the backup reads everything')
    .action(async (folder: string, { withKeys }: { withKeys?: true }, command: Command) => {
      const terminal = openTerminal(command);
      refuseOwnDatabase(process.env, 'pg_dump', EXAMPLE);
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
          `It holds keys: ${keys.join(', ')}. Whoever has it reads everything and writes the audit: keep it as you keep them.`,
        );
      if (leftOut.length > 0) {
        terminal.say(
          'It holds no key. A restore needs these, so keep a copy of each, apart from the backup:',
        );
        for (const name of leftOut) terminal.say(`  ${resolve(dataDir, name)}`);
      }
      if (!existsSync(resolve(dataDir, 'encryption-key')))
        terminal.say(
          'Patients’ data in it is sealed with the ENCRYPTION_KEY of the service: keep that one, too.',
        );
    });
}
