import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { explainDatabaseFailure } from '../failure/explain-database-failure.ts';
import { requireOwnDatabaseUrl } from '../service/require-own-database-url.ts';
import { table } from '../terminal/table.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { sizeOf } from './size-of.ts';
import { EXPECTED } from './verify-audit.ts';

const EXAMPLE = 'DATABASE_URL_FILE=/run/secrets/database-url iv audit months';

/** `iv audit months`: asks the database itself, which alone knows how large they are. */
export function addListMonths(audit: Command): void {
  withExample(audit.command('months'), EXAMPLE)
    .description(
      'list the months of the audit, and how large each is (DATABASE_DIRECT_URL, else DATABASE_URL)',
    )
    .action(async (_options: object, command: Command) => {
      const terminal = openTerminal(command);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { listMonths } = await import('@insurance-verification/store');
      const connectionString = await requireOwnDatabaseUrl(process.env, EXAMPLE);
      const months = await explainDatabaseFailure(
        'Listing the months',
        EXPECTED,
        listMonths(connectionString),
      );
      const items = months.map(({ month, rowCount, byteCount }) => ({
        month,
        line_count: rowCount,
        byte_count: byteCount,
      }));
      terminal.answer(
        { items },
        table(
          ['MONTH', 'LINES', 'SIZE'],
          items.map((item) => [item.month, item.line_count, sizeOf(item.byte_count)]),
        ),
      );
      if (!terminal.json)
        terminal.say('Lines as the server last counted them. "later" takes what is behind the last month.');
    });
}
