import { existsSync } from 'node:fs';
import { sealFileOf } from '@insurance-verification/environment';
import type {
  AlteredWhenSealed,
  BadRange,
  DropStatement,
  Store,
  VerifierKey,
} from '@insurance-verification/store';
import { type Command, InvalidArgumentError } from 'commander';
import { withExample } from '../example.ts';
import { explainDatabaseFailure } from '../failure/failure.ts';
import { CommandFailedError, OpenEndedError } from '../failure/failure.ts';
import { requireOwnDatabaseUrl } from '../service/database.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { type ComparedCopies, compareCopies } from './compare-copies.ts';
import {
  counted,
  describeAltered,
  describeCopy,
  describeDrop,
  describeMissingHold,
  describeRange,
  describeResume,
  describeTable,
} from './describe-fault.ts';
import { addKeyOptions, type KeyOptions, readKeys } from './seal-keys.ts';

const EXAMPLE = 'DATABASE_URL_FILE=/run/secrets/database-url iv audit verify --key-file audit.pub';

/** The conditions to read the seals. */
export const EXPECTED =
  'a database of this version, and a role that may read access_log, audit_seal, audit_drop and legal_hold';

/** Lines after which progress is reported. */
const STEP_LINE_COUNT = 500_000;

interface Options extends KeyOptions {
  readonly seals?: string;
  readonly after?: number;
}

/** `iv audit verify`: reads the database itself, so that the service need not be believed. */
export function addVerifyAudit(audit: Command): void {
  addKeyOptions(withExample(audit.command('verify'), EXAMPLE))
    .description(
      'compare every line of the audit with what was sealed, with only the public key; reports the first altered range, and exits with 1; with 3 when lines wait for a seal for more than two minutes (DATABASE_DIRECT_URL, else DATABASE_URL)',
    )
    .option(
      '--seals <path>',
      'compare the seals with this copy, a file of the service or its log; else with AUDIT_SEAL_FILE or the one in DATA_DIR where it is there: only a copy shows whether seals were removed at the end or made again',
    )
    .option(
      '--after <seal>',
      'begin after this seal: what was verified before need not be read again',
      parseSeal,
    )
    .action(async (options: Options, command: Command) => {
      const terminal = openTerminal(command);
      const keys = await readKeys(options, EXAMPLE);
      const connectionString = await requireOwnDatabaseUrl(process.env, EXAMPLE);
      const say = (progress: string) => (terminal.json ? undefined : terminal.say(progress));
      const found = await explainDatabaseFailure(
        'Verifying the audit',
        EXPECTED,
        verify(connectionString, { keys, path: options.seals ?? ownCopy(), after: options.after ?? 0, say }),
      );
      const fault = faultOf(found);
      terminal.answer(
        await documentOf(found, fault === undefined),
        fault === undefined ? sentencesOf(found) : [],
      );
      if (fault !== undefined) throw new CommandFailedError(fault);
      if (isOverdue(found.unsealed)) throw new OpenEndedError(describeOverdue(found.unsealed));
    });
}

/** The service's own copy of the seals on this machine; undefined where no copy is. */
function ownCopy(): string | undefined {
  const path = sealFileOf(process.env);
  return path !== undefined && existsSync(path) ? path : undefined;
}

interface Verification {
  readonly keys: readonly VerifierKey[];
  readonly path: string | undefined;
  readonly after: number;
  readonly say: (progress: string) => void;
}

function parseSeal(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected the number of a seal.');
  return Number(text);
}

async function verify(connectionString: string, { keys, path, after, say }: Verification) {
  // Imported on demand: loading the database packages takes longer than most commands.
  const { checkCatalogue, countUnsealed, findMissingHolds, withAudit } =
    await import('@insurance-verification/store');
  return withAudit(connectionString, async (store) => ({
    // First: a view in the place of a table would answer all else.
    tables: await checkCatalogue(store.db),
    total: await verifyAll(store, { keys, from: after, say }),
    copies: path === undefined ? undefined : await compareCopies(store, path, keys),
    missing: await findMissingHolds(store.db),
    unsealed: await countUnsealed(store),
  }));
}

type Found = Awaited<ReturnType<typeof verify>>;

interface Total {
  readonly sealCount: number;
  readonly lineCount: number;
  readonly misdatedCount: number;
  readonly altered: readonly AlteredWhenSealed[];
  readonly dropped: readonly DropStatement[];
  readonly bad: BadRange | null;
}

async function verifyAll(
  store: Pick<Store, 'db'>,
  { keys, from, say }: Pick<Verification, 'keys' | 'say'> & { readonly from: number },
): Promise<Total> {
  const { verifySeals } = await import('@insurance-verification/store');
  let [sealCount, lineCount, misdatedCount] = [0, 0, 0];
  const [altered, dropped]: [AlteredWhenSealed[], DropStatement[]] = [[], []];
  const so = () => ({ sealCount, lineCount, misdatedCount, altered, dropped });
  for (let after = from; ;) {
    const verdict = await verifySeals(store, { keys, after, lineCountMax: STEP_LINE_COUNT });
    sealCount += verdict.sealCount;
    lineCount += verdict.lineCount;
    misdatedCount += verdict.misdatedCount;
    altered.push(...verdict.altered);
    dropped.push(...verdict.dropped);
    if (verdict.kind === 'bad') return { ...so(), bad: verdict.range };
    after = verdict.through;
    if (verdict.isEnd) return { ...so(), bad: null };
    say(`${counted(lineCount, 'line')} in ${counted(sealCount, 'seal')} so far.`);
  }
}

async function documentOf({ tables, total, copies, missing, unsealed }: Found, isVerified: boolean) {
  const { toAlteredWhenSealed, toAuditDrop, toBadRange, toMissingHold } =
    await import('@insurance-verification/store');
  return {
    verified: isVerified,
    seal_count: total.sealCount,
    line_count: total.lineCount,
    misdated_count: total.misdatedCount,
    dropped: total.dropped.map(toAuditDrop),
    bad_range: total.bad && toBadRange(total.bad),
    bad_tables: tables,
    missing_holds: missing.map(toMissingHold),
    altered_when_sealed: total.altered.map(toAlteredWhenSealed),
    unsealed: { line_count: unsealed.lineCount, oldest_seconds: Math.round(unsealed.oldestSeconds) },
    copies: copies ? copiesOf(copies) : null,
  };
}

const copiesOf = ({ sealCount, dropCount, resumed, bad }: ComparedCopies) => ({
  compared_count: sealCount,
  compared_drop_count: dropCount,
  resumed: resumed.map(({ number, givenUp, at, by, reason }) => ({
    seal: number,
    given_up: givenUp,
    resumed_at: at.toISOString(),
    resumed_by: by,
    reason,
  })),
  bad,
});

/** A database cannot prove this of itself. */
const UNKNOWN =
  'Without a copy of the seals it cannot be known whether the last ones were removed or made again: give --seals.';

const asWritten = ({ sealCount, lineCount }: Total) =>
  `${counted(lineCount, 'line')} in ${counted(sealCount, 'seal')} are as they were written.`;

function sentencesOf({ total, copies, unsealed }: Found): string[] {
  return [
    ...total.dropped.map(describeDrop),
    ...(copies?.resumed ?? []).map(describeResume),
    [
      asWritten(total),
      copies ? describeSame(copies) : UNKNOWN,
      ...(total.misdatedCount > 0 ? [describeMisdated(total.misdatedCount)] : []),
      ...(unsealed.lineCount > 0 && !isOverdue(unsealed) ? [describeUnsealed(unsealed)] : []),
    ].join(' '),
  ];
}

const describeMisdated = (count: number) =>
  `${counted(count, 'line')} ${count === 1 ? 'has' : 'have'} a time that is not when ${count === 1 ? 'it was' : 'they were'} written; iv audit seals shows their seals.`;

function describeSame({ sealCount, dropCount }: ComparedCopies): string {
  const records = dropCount > 0 ? ` and ${counted(dropCount, 'record')} of dropped lines` : '';
  return `The database has the ${counted(sealCount, 'seal')}${records} of the copy.`;
}

/** Seconds after which an unsealed line is not an accident. */
const OVERDUE_SECONDS = 120;

const isOverdue = ({ oldestSeconds }: Found['unsealed']) => oldestSeconds > OVERDUE_SECONDS;

const describeUnsealed = ({ lineCount, oldestSeconds }: Found['unsealed']) =>
  `${counted(lineCount, 'line')} ${lineCount === 1 ? 'waits' : 'wait'} for a seal, the oldest since ${Math.round(oldestSeconds)} s.`;

const describeOverdue = (unsealed: Found['unsealed']) =>
  `${describeUnsealed(unsealed)} Nothing shows whether they are as they were written; the service's log says why they are not sealed.`;

/** Why it ends with 1. */
function faultOf({ tables, total, copies, missing }: Found): string | undefined {
  const { altered, dropped, bad, sealCount } = total;
  const about = [
    ...tables.map(describeTable),
    ...missing.map(describeMissingHold),
    ...altered.map(describeAltered),
    ...(bad ? [describeRange(bad), ...dropped.map(describeDrop), `Before it ${asWritten(total)}`] : []),
    ...(!bad && copies?.bad ? [describeCopy(copies.bad)] : []),
    ...(!bad && sealCount === 0 && dropped.length === 0 ? ['Nothing is sealed yet.'] : []),
  ];
  return about.length === 0 ? undefined : about.join('\n');
}
