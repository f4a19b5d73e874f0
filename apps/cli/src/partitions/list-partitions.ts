import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { tellDatabaseFailure } from '../failure/tell-database-failure.ts';
import { requireOwnDatabaseUrl } from '../service/require-own-database-url.ts';
import { table } from '../terminal/table.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { EXPECTED } from './expected.ts';
import { sizeOf } from './size-of.ts';

const EXAMPLE = 'DATABASE_URL=postgres://user:password@db.example:5432/verification iv partitions list';

/** `iv partitions list`: asks the database directly, since it tells of tables rather than requests. */
export function addListPartitions(partitions: Command): void {
  withExample(partitions.command('list'), EXAMPLE)
    .description(
      'list the months that have tables, and how large these are (DATABASE_DIRECT_URL, else DATABASE_URL)',
    )
    .action(async (_options: object, command: Command) => {
      const terminal = openTerminal(command);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { listMonths } = await import('@insurance-verification/store');
      const connectionString = await requireOwnDatabaseUrl(process.env, EXAMPLE);
      const months = await tellDatabaseFailure('Listing the months', EXPECTED, listMonths(connectionString));
      const items = months.map(({ month, resultCount, byteCount, auditByteCount }) => ({
        month,
        result_count: resultCount,
        byte_count: byteCount,
        audit_byte_count: auditByteCount,
      }));
      terminal.answer(
        { items },
        table(
          ['MONTH', 'RESULTS', 'SIZE', 'AUDIT'],
          items.map((item) => [
            item.month,
            item.result_count,
            sizeOf(item.byte_count),
            sizeOf(item.audit_byte_count),
          ]),
        ),
      );
      if (!terminal.json)
        terminal.say('Results as the server last counted them. The first month also holds what is older.');
    });
}
