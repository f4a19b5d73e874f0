import { hostname, userInfo } from 'node:os';
import { sealFileOf } from '@insurance-verification/environment';
import type { Command } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { explainDatabaseFailure } from '../failure/failure.ts';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { requireOwnDatabaseUrl } from '../service/database.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { describeResume } from './describe-fault.ts';
import { sayLostErasures, toJson } from './lost-erasures.ts';
import { requireOwnKey } from './seal-keys.ts';

const EXAMPLE =
  'DATABASE_URL_FILE=/run/secrets/database-url AUDIT_SEAL_KEY_FILE=/run/secrets/audit-seal-key AUDIT_SEAL_FILE=/var/lib/insurance-verification/audit-seals.jsonl iv audit resume --reason "restored the backup of 2026-11-26 02:00"';

const EXPECTED =
  'a database of this version, and a role that may read audit_seal and request, and write access_log';

interface Options {
  readonly reason: string;
  readonly by?: string;
}

/** `iv audit resume`: needs the key and the file, and works on the database itself. */
export function addResumeSealing(audit: Command): void {
  withExample(audit.command('resume'), EXAMPLE)
    .description(
      'after a restore: let sealing continue after the newest seal of the database, although AUDIT_SEAL_FILE has others; a signed record in the file gives those up, and the audit has a line (DATABASE_DIRECT_URL, else DATABASE_URL)',
    )
    .requiredOption('--reason <text>', 'why the database is not what the file has, for the signed record')
    .option('--by <name>', 'who says so; else user@host')
    .action(async ({ reason, by = `${userInfo().username}@${hostname()}` }: Options, command: Command) => {
      const terminal = openTerminal(command);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { isDropper, isResumeReason, openSealFile, resumeSealing, withAudit } =
        await import('@insurance-verification/store');
      if (!isResumeReason(reason))
        throw new WrongUsageError('--reason: expected a sentence of one line, 300 characters at most.');
      if (!isDropper(by))
        throw new WrongUsageError('--by: expected a name of one line, 100 characters at most.');
      const path = sealFileOf(process.env);
      if (path === undefined)
        throw new WrongUsageError(
          `No file. Expected the service's in AUDIT_SEAL_FILE, or in DATA_DIR.\n${rightExample(EXAMPLE)}`,
        );
      const key = await requireOwnKey(EXAMPLE);
      const connectionString = await requireOwnDatabaseUrl(process.env, EXAMPLE);
      const resumed = await explainDatabaseFailure(
        'Resuming the seals',
        EXPECTED,
        withAudit(connectionString, (store) =>
          resumeSealing(store, { key, file: openSealFile(path), by, reason }),
        ),
      );
      if (resumed.kind === 'same')
        throw new CommandFailedError(`There is nothing to resume: the database has the seals of ${path}.`);
      if (resumed.kind === 'unsigned')
        throw new CommandFailedError(
          `The newest seal of the database, ${resumed.number}, is not what this key signed (${resumed.fault}): sealing cannot continue after it. Restore a backup whose seals are whole.`,
        );
      const { statement, lostErasures } = resumed;
      terminal.answer(
        {
          seal: statement.number,
          given_up: statement.givenUp,
          by: statement.by,
          reason: statement.reason,
          lost_erasures: lostErasures.map(toJson),
        },
        [describeResume(statement)],
      );
      if (terminal.json) return;
      terminal.say(
        'The service seals again within seconds. Each machine has a file of its own: do it on each.',
      );
      sayLostErasures(terminal, lostErasures);
    });
}
