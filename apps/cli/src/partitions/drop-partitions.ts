import type { AuditDrop, DroppedMonth, DropSigning } from '@insurance-verification/store';
import type { Command } from 'commander';
import { counted, tellDrop, tellRange } from '../audit/tell-fault.ts';
import { rightExample, withExample } from '../example.ts';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { tellDatabaseFailure } from '../failure/tell-database-failure.ts';
import { requireOwnDatabaseUrl } from '../service/require-own-database-url.ts';
import { type Block, table } from '../terminal/table.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { type AuditOptions, readAuditSigning } from './audit-signing.ts';
import { EXPECTED } from './expected.ts';
import { sizeOf } from './size-of.ts';

const EXAMPLE =
  'DATABASE_URL=postgres://user:password@db.example:5432/verification iv partitions drop 2026-11';

interface Options extends AuditOptions {
  readonly audit?: true;
  readonly yes?: true;
}

type Gone = Extract<DroppedMonth, { tables: unknown }>;

/** `iv partitions drop <month>` */
export function addDropPartitions(partitions: Command): void {
  withExample(partitions.command('drop'), EXAMPLE)
    .description(
      'remove the oldest month for good: its requests, results, deliveries and everything about them; without --yes only tell what would go (DATABASE_DIRECT_URL, else DATABASE_URL)',
    )
    .argument('<month>', 'as 2026-11; must be over, and nothing of it unfinished')
    .option('--audit', "also the month's lines of the audit, which are kept otherwise")
    .option('--archive <path>', 'with --audit: the file that iv audit archive wrote; .gz is read too')
    .option('--by <name>', 'with --audit: who drops them, for the signed record; else user@host')
    .option('--yes', 'remove it; back up first what must be kept')
    .action(async (month: string, options: Options, command: Command) => {
      const terminal = openTerminal(command);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { dropMonth, isMonth } = await import('@insurance-verification/store');
      if (!isMonth(month))
        throw new WrongUsageError(
          `Expected a month as 2026-11; what came is ${month}.\n${rightExample(EXAMPLE)}`,
        );
      const connectionString = await requireOwnDatabaseUrl(process.env, EXAMPLE);
      const withAudit = options.audit === true;
      const drop = (more: { dryRun: boolean; signing?: DropSigning | undefined }) =>
        tellDatabaseFailure(
          'Removing the month',
          EXPECTED,
          dropMonth(connectionString, { month, withAudit, ...more }),
        );
      const dryRun = options.yes !== true;
      let dropped = await drop({ dryRun: true });
      if (!dryRun && 'tables' in dropped) {
        const signing = withAudit ? await readAuditSigning(month, options) : undefined;
        if (signing) terminal.say('Comparing the lines of the audit with their seals and with the archive.');
        terminal.say('Waiting for what may still read the month; nobody waits for this.');
        dropped = await drop({ dryRun: false, signing });
      }
      if (!('tables' in dropped)) throw new CommandFailedError(tellRefusal(month, dropped));
      terminal.answer(documentOf(month, dropped), lines(dropped));
      if (terminal.json) return;
      terminal.say(
        dryRun
          ? `Nothing is removed yet. With --yes these tables go, and all that is in them.`
          : `${month} is removed.`,
      );
      if (dropped.keepingCount > 0) terminal.say(tellKeeping(dropped));
      if (dropped.audit) terminal.say(tellAudit(month, dropped.audit));
    });
}

const tellKeeping = ({ kind, keepingCount }: Gone) =>
  `${keepingCount === 1 ? 'One account' : `${keepingCount} accounts`} ${kind === 'dropped' ? 'would have kept' : 'would keep'} ` +
  'requests of it for longer: their retention is not over, or they have none (iv accounts retention <account_id>).';

const documentOf = (month: string, { kind, tables, keepingCount, audit }: Gone) => ({
  month,
  dropped: kind === 'dropped',
  keeping_account_count: keepingCount,
  audit: audit && {
    first_id: String(audit.firstId),
    last_id: String(audit.lastId),
    first_seal: audit.firstSeal,
    last_seal: audit.lastSeal,
    note: audit.signed?.note ?? null,
  },
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

/** What goes of the audit, and by which record; or what is asked for first. */
function tellAudit(month: string, { firstId, lastId, firstSeal, lastSeal, signed }: AuditDrop): string {
  if (signed) return `${tellDrop(signed.statement)}\niv audit verify says so from now on.`;
  const holders = firstSeal === lastSeal ? `seal ${firstSeal}` : `seals ${firstSeal} to ${lastSeal}`;
  return (
    `Of the audit go its lines of ${firstId} to ${lastId}, sealed as ${holders}, with their archive and the key that seals:\n` +
    `  iv audit archive ${month} > audit-${month}.ndjson\n` +
    `  iv partitions drop ${month} --audit --archive audit-${month}.ndjson --yes`
  );
}

function tellRefusal(month: string, refused: Exclude<DroppedMonth, { tables: unknown }>): string {
  if (refused.kind === 'unknown_month')
    return `No tables of ${month}. There are those of ${refused.months.join(', ')}.`;
  if (refused.kind === 'older_month')
    return `${refused.oldest} is older: a month goes after all before it, whose last deliveries it holds.`;
  if (refused.kind === 'too_early')
    return `${month} may go from ${refused.from.toISOString()} on: until then its creates may be repeated.`;
  if (refused.kind === 'busy') return 'Another process is removing a month.';
  if (refused.kind === 'unsealed')
    return `${counted(refused.count, 'line')} of the audit up to the end of ${month} are not sealed: a running service that has AUDIT_SEAL_KEY seals them within seconds.`;
  if (refused.kind === 'not_as_sealed')
    return `${tellRange(refused.range)}\nNothing goes: it is the evidence. Keep the database as it is, and take a copy of it.`;
  if (refused.kind === 'other_archive')
    return `The archive does not have the lines that the database has of ${month}. Write it anew: iv audit archive ${month} > audit-${month}.ndjson`;
  if (refused.kind === 'entangled')
    return `Line ${refused.id} of the audit is of a later month and lies before most lines of ${month}: a clock was wrong. The month goes without --audit.`;
  const { requests, deliveries, heldOutputs } = refused.unfinished;
  return (
    `Not everything up to the end of ${month} is done: ${requests} requests without a result, ` +
    `${deliveries} deliveries under way, ${heldOutputs} held outputs.\n` +
    'Finish or close them first: iv requests list --state pending, iv deliveries list --status pending, iv held list'
  );
}
