import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { explainDatabaseFailure } from '../failure/failure.ts';
import { requireDatabaseUrl } from '../service/database.ts';
import { openTerminal } from '../terminal/terminal.ts';

const EXAMPLE = 'DATABASE_URL_FILE=/run/secrets/database-url iv migrate';

const OF_EMBEDDED = 'an embedded database is migrated by the start of its service';

/** `iv migrate`: connects to the database directly, since no service may exist yet. */
export function addMigrate(program: Command): void {
  withExample(program.command('migrate'), EXAMPLE)
    .description(
      "bring the database to this version's tables, and make the parts of the log for the months to come (DATABASE_DIRECT_URL, else DATABASE_URL)",
    )
    .action(async (_options: object, command: Command) => {
      const terminal = openTerminal(command);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { makeMonths, migrate } = await import('@insurance-verification/store');
      const connectionString = requireDatabaseUrl(process.env, EXAMPLE, OF_EMBEDDED);
      const applied = await explainDatabaseFailure(
        'The migration',
        'a PostgreSQL of version 15 or newer that lets this user connect and create tables; nothing of a failed migration stays',
        migrate({ connectionString }),
      );
      const madeTables = await explainDatabaseFailure(
        'Making the parts of the log for the months to come',
        'the role that owns the tables',
        makeMonths(connectionString),
      );
      terminal.answer({ applied, made_tables: madeTables }, applied);
      if (!terminal.json)
        terminal.say(applied.length === 0 ? 'Up to date; nothing to do.' : `Applied: ${applied.length}.`);
    });
}
