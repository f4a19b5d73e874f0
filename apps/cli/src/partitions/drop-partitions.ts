import type { DroppedMonth } from '@insurance-verification/store';
import type { Command } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { tellDatabaseFailure } from '../failure/tell-database-failure.ts';
import { requireOwnDatabaseUrl } from '../service/require-own-database-url.ts';
import { type Block, table } from '../terminal/table.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { EXPECTED } from './expected.ts';
import { sizeOf } from './size-of.ts';

const EXAMPLE =
  'DATABASE_URL=postgres://user:password@db.example:5432/verification iv partitions drop 2026-11';

type Gone = Extract<DroppedMonth, { tables: unknown }>;

/** `iv partitions drop <month>` */
export function addDropPartitions(partitions: Command): void {
  withExample(partitions.command('drop'), EXAMPLE)
    .description(
      'remove the oldest month for good: its requests, results, deliveries and everything about them; without --yes only tell what would go (DATABASE_DIRECT_URL, else DATABASE_URL)',
    )
    .argument('<month>', 'as 2026-11; must be over, and nothing of it unfinished')
    .option('--audit', "also the month's lines of the audit, which are kept otherwise")
    .option('--yes', 'remove it; back up first what must be kept')
    .action(async (month: string, options: { audit?: true; yes?: true }, command: Command) => {
      const terminal = openTerminal(command);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { dropMonth, isMonth } = await import('@insurance-verification/store');
      if (!isMonth(month))
        throw new WrongUsageError(
          `Expected a month as 2026-11; what came is ${month}.\n${rightExample(EXAMPLE)}`,
        );
      const connectionString = await requireOwnDatabaseUrl(process.env, EXAMPLE);
      const drop = (dryRun: boolean) =>
        tellDatabaseFailure(
          'Removing the month',
          EXPECTED,
          dropMonth(connectionString, { month, withAudit: options.audit === true, dryRun }),
        );
      const dryRun = options.yes !== true;
      let dropped = await drop(true);
      if (!dryRun && 'tables' in dropped) {
        terminal.say('Waiting for what may still read the month; nobody waits for this.');
        dropped = await drop(false);
      }
      if (!('tables' in dropped)) throw new CommandFailedError(tellRefusal(month, dropped));
      terminal.answer(documentOf(month, dropped), lines(dropped));
      if (terminal.json) return;
      terminal.say(
        dryRun
          ? `Nothing is removed yet. With --yes these tables go, and all that is in them.`
          : `${month} is removed.`,
      );
      if (dropped.lastSeal !== null)
        terminal.say(`What follows its lines is verified by iv audit verify --after ${dropped.lastSeal}.`);
    });
}

const documentOf = (month: string, { kind, tables, lastSeal }: Gone) => ({
  month,
  dropped: kind === 'dropped',
  last_seal: lastSeal,
  tables: tables.map(({ name, rowCount, byteCount }) => ({
    name,
    row_count: rowCount,
    byte_count: byteCount,
  })),
});

const lines = ({ tables }: Gone): Block[] =>
  table(
    ['TABLE', 'ROWS', 'SIZE'],
    tables.map(({ name, rowCount, byteCount }) => [name, rowCount, sizeOf(byteCount)]),
  );

function tellRefusal(month: string, refused: Exclude<DroppedMonth, { tables: unknown }>): string {
  if (refused.kind === 'unknown_month')
    return `No tables of ${month}. There are those of ${refused.months.join(', ')}.`;
  if (refused.kind === 'older_month')
    return `${refused.oldest} is older: a month goes after all before it, whose last deliveries it holds.`;
  if (refused.kind === 'too_early')
    return `${month} may go from ${refused.from.toISOString()} on: until then its creates may be repeated.`;
  if (refused.kind === 'busy') return 'Another process is removing a month.';
  const { requests, deliveries, heldOutputs } = refused.unfinished;
  return (
    `Not everything up to the end of ${month} is done: ${requests} requests without a result, ` +
    `${deliveries} deliveries under way, ${heldOutputs} held outputs.\n` +
    'Finish or close them first: iv requests list --state pending, iv deliveries list --status pending, iv held list'
  );
}
