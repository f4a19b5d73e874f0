import { resolve } from 'node:path';
import { dataDirOf } from '@insurance-verification/environment';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { refuseOwnDatabase } from './refuse-own-database.ts';
import { tellRefusal } from './tell-refusal.ts';
import { untilSignal } from './until-signal.ts';

const EXAMPLE = 'iv backup backups/2026-11-22';

/** `iv backup <folder>`: backs up the embedded database while its service runs. */
export function addBackup(program: Command): void {
  withExample(program.command('backup'), EXAMPLE)
    .description(
      'copy the embedded database and the keys beside it (DATA_DIR) to a new folder; the service may go on',
    )
    .argument('<folder>', 'made by this; it must not exist, or be empty')
    .action(async (folder: string, _options: object, command: Command) => {
      const terminal = openTerminal(command);
      refuseOwnDatabase(process.env, 'pg_dump', EXAMPLE);
      const dataDir = resolve(dataDirOf(process.env));
      // Imported on demand: loading the database packages takes longer than most commands.
      const { backUpDataDir } = await import('@insurance-verification/store');
      const backup = untilSignal((signal) => backUpDataDir({ dataDir, folder, signal }));
      const { byteCount, secrets } = await tellRefusal('The backup', backup);
      const target = resolve(folder);
      terminal.answer({ folder: target, data_dir: dataDir, database_bytes: byteCount, secrets }, [target]);
      if (terminal.json) return;
      terminal.say(`Backed up ${dataDir}: ${(byteCount / 1e6).toFixed(1)} MB.`);
      terminal.say(
        secrets.includes('encryption-key')
          ? 'Its encryption-key opens it: keep that file apart from the rest, and lose neither.'
          : 'It holds no encryption-key. Without the ENCRYPTION_KEY of the service nobody can read it.',
      );
    });
}
