import type { DroppedLines, DroppedMonth } from '@insurance-verification/store';
import type { Command } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { explainDatabaseFailure } from '../failure/explain-database-failure.ts';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { requireOwnDatabaseUrl } from '../service/require-own-database-url.ts';
import { type Block, table } from '../terminal/table.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { describeDrop, describeRange } from './describe-fault.ts';
import { commandsOf, readDropSigning, type SigningOptions } from './drop-signing.ts';
import { sizeOf } from './size-of.ts';

const EXAMPLE =
  'DATABASE_URL_FILE=/run/secrets/database-url iv audit drop 2026-11 --archive audit-2026-11.ndjson --yes';

/** What must hold to drop a month. */
const EXPECTED =
  'a database that this version has migrated, reached as the role that owns its tables, without a pooler between';

interface Options extends SigningOptions {
  readonly yes?: true;
}

type Gone = Extract<DroppedMonth, { lines: unknown }>;

/** `iv audit drop <month>` */
export function addDropMonth(audit: Command): void {
  withExample(audit.command('drop'), EXAMPLE)
    .description(
      'drop the oldest month of the audit, whose lines an archive has; its seals stay; without --yes only tell what would go (DATABASE_DIRECT_URL, else DATABASE_URL)',
    )
    .argument('<month>', 'as 2026-11; must be over and sealed')
    .option('--archive <path>', 'the file that iv audit archive wrote; .gz is read too')
    .option('--by <name>', 'who drops it, for the signed record; else user@host')
    .option('--yes', 'drop it')
    .action(async (month: string, options: Options, command: Command) => {
      const terminal = openTerminal(command);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { dropMonth, isMonth } = await import('@insurance-verification/store');
      if (!isMonth(month))
        throw new WrongUsageError(
          `Expected a month as 2026-11; what came is ${month}.\n${rightExample(EXAMPLE)}`,
        );
      const connectionString = await requireOwnDatabaseUrl(process.env, EXAMPLE);
      const signing = options.yes ? await readDropSigning(month, options) : undefined;
      if (signing)
        terminal.say(
          'Comparing the lines with their seals and with the archive, then waiting for what may still read them; nobody waits for this.',
        );
      const dropped = await explainDatabaseFailure(
        'Dropping the month',
        EXPECTED,
        dropMonth(connectionString, { month, signing }),
      );
      if (!('lines' in dropped)) throw new CommandFailedError(describeRefusal(month, dropped));
      terminal.answer(documentOf(month, dropped), lines(month, dropped));
      if (!terminal.json) terminal.say(describeGone(month, dropped));
    });
}

const lineCountOf = ({ lines: gone, rowCount }: Gone) => gone?.signed?.statement.lineCount ?? rowCount;

const documentOf = (month: string, dropped: Gone) => ({
  month,
  dropped: dropped.kind === 'dropped',
  line_count: lineCountOf(dropped),
  byte_count: dropped.byteCount,
  lines: dropped.lines && {
    first_id: String(dropped.lines.firstId),
    last_id: String(dropped.lines.lastId),
    first_seal: dropped.lines.firstSeal,
    last_seal: dropped.lines.lastSeal,
    note: dropped.lines.signed?.note ?? null,
  },
});

const lines = (month: string, dropped: Gone): Block[] =>
  table(['MONTH', 'LINES', 'SIZE'], [[month, lineCountOf(dropped), sizeOf(dropped.byteCount)]]);

/** What went, and by which record; or what would go, and is asked for first. */
function describeGone(month: string, { kind, lines: gone }: Gone): string {
  const record = gone?.signed ? describeDrop(gone.signed.statement) : null;
  if (kind === 'dropped')
    return record === null
      ? `${month} had no line, and is gone.`
      : `${record}\niv audit verify says so from now on.`;
  if (record !== null) return `${record}\nThe drop broke off; the same command with --yes ends it.`;
  return `Nothing is dropped yet. ${gone ? `${describeLines(gone)} go` : 'The month goes'} with an archive and the key that seals:\n${commandsOf(month)}`;
}

function describeLines({ firstId, lastId, firstSeal, lastSeal }: DroppedLines): string {
  const seals = firstSeal === lastSeal ? `seal ${firstSeal}` : `seals ${firstSeal} to ${lastSeal}`;
  return `Lines ${firstId} to ${lastId}, sealed as ${seals},`;
}

function describeRefusal(month: string, refused: Exclude<DroppedMonth, { lines: unknown }>): string {
  switch (refused.kind) {
    case 'unknown_month':
      return `The audit has no month ${month}. It has ${refused.months.join(', ')}.`;
    case 'older_month':
      return `${refused.oldest} is older, and goes first.`;
    case 'not_over':
      return `${month} is not over: more lines may come. The first line of a later month ends it.`;
    case 'busy':
      return 'Another process is dropping a month.';
    case 'unsealed':
      return `${month} is not sealed to its end: a running service that has AUDIT_SEAL_KEY seals it within seconds.`;
    case 'not_as_sealed':
      return `${describeRange(refused.range)}\nNothing goes: it is the evidence. Keep the database as it is, and take a copy of it.`;
    case 'other_archive':
      return `The archive does not have the lines that the database has of ${month}. Write it anew: iv audit archive ${month} > audit-${month}.ndjson`;
  }
}
