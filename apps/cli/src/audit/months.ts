import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { DroppedLines, DroppedMonth, DropSigning } from '@insurance-verification/store';
import type { Command } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { CommandFailedError, explainDatabaseFailure, WrongUsageError } from '../failure/failure.ts';
import { requireOwnDatabaseUrl } from '../service/database.ts';
import { type Block, table } from '../terminal/table.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { counted, describeDrop, describeRange } from './describe-fault.ts';
import { requireOwnKey } from './seal-keys.ts';
import { EXPECTED } from './verify-audit.ts';

const LIST_EXAMPLE = 'DATABASE_URL_FILE=/run/secrets/database-url iv audit months';

/** `iv audit months`: asks the database itself, since only it knows how large they are. */
export function addListMonths(audit: Command): void {
  withExample(audit.command('months'), LIST_EXAMPLE)
    .description(
      'list the months of the audit, and how large each is (DATABASE_DIRECT_URL, else DATABASE_URL)',
    )
    .action(async (_options: object, command: Command) => {
      const terminal = openTerminal(command);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { listMonths } = await import('@insurance-verification/store');
      const connectionString = await requireOwnDatabaseUrl(process.env, LIST_EXAMPLE);
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
        terminal.say('Lines as the server last counted them. "later" takes what is after the last month.');
    });
}

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** Bytes for a person: `8 kB`, `1.5 GB`. */
function sizeOf(byteCount: number): string {
  let size = byteCount / 1024;
  let place = 0;
  for (; size >= 1000 && place < UNITS.length - 1; place += 1) size /= 1024;
  return `${size < 10 ? Math.round(size * 10) / 10 : Math.round(size)} ${UNITS[place]}`;
}

const ARCHIVE_EXAMPLE =
  'DATABASE_URL_FILE=/run/secrets/database-url iv audit archive 2026-11 > audit-2026-11.ndjson';

/** `iv audit archive <month>`: what `iv audit drop` asks for. */
export function addArchiveMonth(audit: Command): void {
  withExample(audit.command('archive'), ARCHIVE_EXAMPLE)
    .description(
      "print a month's lines of the audit as they were sealed, a line of JSON each, to be kept when the month is dropped (DATABASE_DIRECT_URL, else DATABASE_URL)",
    )
    .argument('<month>', 'as 2026-11; must be over')
    .action(async (month: string, _options: object, command: Command) => {
      const terminal = openTerminal(command);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { archiveMonth, isMonth, withAudit } = await import('@insurance-verification/store');
      if (!isMonth(month))
        throw new WrongUsageError(
          `Expected a month as 2026-11; what came is ${month}.\n${rightExample(ARCHIVE_EXAMPLE)}`,
        );
      const connectionString = await requireOwnDatabaseUrl(process.env, ARCHIVE_EXAMPLE);
      const writing = withAudit(connectionString, async (store) => {
        const archive = await archiveMonth(store, { month });
        if (archive.kind !== 'found') return archive;
        const sha256 = createHash('sha256');
        const hashed = Readable.from(archive.parts).map((part: string) => {
          sha256.update(part);
          return part;
        });
        await pipeline(hashed, process.stdout, { end: false });
        return { ...archive, digest: sha256.digest('hex') };
      });
      const written = await explainDatabaseFailure('Archiving the month', EXPECTED, writing);
      if (written.kind === 'not_over')
        throw new CommandFailedError(
          `${month} is not over: more lines may come. The first line of a later month ends it.`,
        );
      if (written.kind === 'unknown_month')
        throw new CommandFailedError(
          `The audit has no month ${month}; iv audit months lists those that it has.`,
        );
      terminal.say(`${counted(written.lineCount(), 'line')} of ${month}, SHA-256 ${written.digest}.`);
      terminal.say(
        `Keep it where the audit must be kept, then: iv audit drop ${month} --archive <file> --yes`,
      );
    });
}

const DROP_EXAMPLE =
  'DATABASE_URL_FILE=/run/secrets/database-url iv audit drop 2026-11 --archive audit-2026-11.ndjson --yes';

/** The conditions to drop a month. */
const EXPECTED_TO_DROP =
  'a database that this version has migrated, reached as the role that owns its tables, without a pooler between';

interface DropOptions extends SigningOptions {
  readonly yes?: true;
}

type Gone = Extract<DroppedMonth, { lines: unknown }>;

/** `iv audit drop <month>` */
export function addDropMonth(audit: Command): void {
  withExample(audit.command('drop'), DROP_EXAMPLE)
    .description(
      'drop the oldest month of the audit, whose lines an archive has; its seals stay; without --yes only show what would go (DATABASE_DIRECT_URL, else DATABASE_URL)',
    )
    .argument('<month>', 'as 2026-11; must be over and sealed')
    .option('--archive <path>', 'the file that iv audit archive wrote; .gz is read too')
    .option('--by <name>', 'who drops it, for the signed record; else user@host')
    .option('--yes', 'drop it')
    .action(async (month: string, options: DropOptions, command: Command) => {
      const terminal = openTerminal(command);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { dropMonth, isMonth } = await import('@insurance-verification/store');
      if (!isMonth(month))
        throw new WrongUsageError(
          `Expected a month as 2026-11; what came is ${month}.\n${rightExample(DROP_EXAMPLE)}`,
        );
      const connectionString = await requireOwnDatabaseUrl(process.env, DROP_EXAMPLE);
      const signing = options.yes ? await readDropSigning(month, options) : undefined;
      if (signing)
        terminal.say(
          'Comparing the lines with their seals and with the archive, then waiting for what may still read them; the service does not wait for this.',
        );
      const dropped = await explainDatabaseFailure(
        'Dropping the month',
        EXPECTED_TO_DROP,
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

/** The dropped lines and the record of the drop; before it, the lines that would go and the commands that drop them. */
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
      return `The archive does not have the lines that the database has of ${month}. Write it again: iv audit archive ${month} > audit-${month}.ndjson`;
  }
}

const NO_KEY =
  'No key. The key that seals the audit signs that lines of it go; without that, verification calls it tampering.\n' +
  'Expected it in AUDIT_SEAL_KEY or AUDIT_SEAL_KEY_FILE, or in the DATA_DIR of an embedded database. ' +
  'A service that has none yet is given one first, and seals within seconds what is there.';

interface SigningOptions {
  readonly archive?: string;
  readonly by?: string;
}

/** The two commands that drop a month. */
const commandsOf = (month: string): string =>
  `  iv audit archive ${month} > audit-${month}.ndjson\n  ${dropOf(month)}`;

const dropOf = (month: string) => `iv audit drop ${month} --archive audit-${month}.ndjson --yes`;

/**
 * The key that signs the removal of a month.
 * @throws {WrongUsageError} when the archive or the key is not there, with what to do.
 */
async function readDropSigning(
  month: string,
  { archive, by = `${userInfo().username}@${hostname()}` }: SigningOptions,
): Promise<DropSigning> {
  if (archive === undefined)
    throw new WrongUsageError(
      `A month goes only when its lines are kept elsewhere. Write their archive, keep it, and name it:\n${commandsOf(month)}`,
    );
  const { isDropper } = await import('@insurance-verification/store');
  if (!isDropper(by)) throw new WrongUsageError('--by: expected a name of one line, 100 characters at most.');
  const key = await requireOwnKey(`AUDIT_SEAL_KEY_FILE=/run/secrets/audit-seal-key ${dropOf(month)}`, NO_KEY);
  return { key, by, archive: await digestArchive(archive) };
}

/**
 * The SHA-256 of an archive's text, in hexadecimal. A name that ends in `.gz` is of a compressed one.
 * @throws {WrongUsageError} when the file cannot be read.
 */
async function digestArchive(path: string): Promise<string> {
  const sha256 = createHash('sha256');
  const file = createReadStream(path);
  try {
    await (path.endsWith('.gz') ? pipeline(file, createGunzip(), sha256) : pipeline(file, sha256));
  } catch (err) {
    throw new WrongUsageError(
      `--archive: ${path} cannot be read (${(err as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    );
  }
  return sha256.digest('hex');
}
