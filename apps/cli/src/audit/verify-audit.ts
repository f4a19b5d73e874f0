import { existsSync } from 'node:fs';
import { sealFileOf } from '@insurance-verification/environment';
import type { BadRange, DropStatement, Store, VerifierKey } from '@insurance-verification/store';
import { type Command, InvalidArgumentError } from 'commander';
import { withExample } from '../example.ts';
import { explainDatabaseFailure } from '../failure/explain-database-failure.ts';
import { CommandFailedError } from '../failure/failure.ts';
import { requireOwnDatabaseUrl } from '../service/require-own-database-url.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { type ComparedCopies, compareCopies } from './compare-copies.ts';
import { counted, describeCopy, describeDrop, describeRange, describeResume } from './describe-fault.ts';
import { addKeyOptions, type KeyOptions, readKeys } from './seal-keys.ts';

const EXAMPLE = 'DATABASE_URL_FILE=/run/secrets/database-url iv audit verify --key-file audit.pub';

/** What must hold to read the seals. */
export const EXPECTED =
  'a database of this version, and a role that may read access_log, audit_seal and audit_drop';

/** Lines after which progress is told. */
const STEP_LINE_COUNT = 500_000;

interface Options extends KeyOptions {
  readonly seals?: string;
  readonly after?: number;
}

/** `iv audit verify`: reads the database itself, so that the service need not be believed. */
export function addVerifyAudit(audit: Command): void {
  addKeyOptions(withExample(audit.command('verify'), EXAMPLE))
    .description(
      'compare every line of the audit with what was sealed, by the public key alone; reports the first altered range, and exits with 1 (DATABASE_DIRECT_URL, else DATABASE_URL)',
    )
    .option(
      '--seals <path>',
      'compare the seals with this copy, a file of the service or its log; else with AUDIT_SEAL_FILE or the one in DATA_DIR where it is there: only a copy tells whether seals were removed at the end or made anew',
    )
    .option(
      '--after <seal>',
      'begin behind this seal: what was verified before need not be read again',
      parseSeal,
    )
    .action(async (options: Options, command: Command) => {
      const terminal = openTerminal(command);
      const keys = await readKeys(options, EXAMPLE);
      const connectionString = await requireOwnDatabaseUrl(process.env, EXAMPLE);
      const say = (progress: string) => (terminal.json ? undefined : terminal.say(progress));
      const { total, copies } = await explainDatabaseFailure(
        'Verifying the audit',
        EXPECTED,
        verify(connectionString, { keys, path: options.seals ?? ownCopy(), after: options.after ?? 0, say }),
      );
      const sentences = [
        ...total.dropped.map(describeDrop),
        ...(copies?.resumed ?? []).map(describeResume),
        sentenceOf(total, copies),
      ];
      terminal.answer(await documentOf(total, copies), total.bad ? [] : sentences);
      const fault = faultOf(total, copies);
      if (fault !== undefined) throw new CommandFailedError(fault);
    });
}

/** The service's own copy of the seals on this machine; undefined where there is none. */
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
  const { withAudit } = await import('@insurance-verification/store');
  return withAudit(connectionString, async (store) => ({
    total: await verifyAll(store, { keys, from: after, say }),
    copies: path === undefined ? undefined : await compareCopies(store, path, keys),
  }));
}

interface Total {
  readonly sealCount: number;
  readonly lineCount: number;
  readonly dropped: readonly DropStatement[];
  readonly bad: BadRange | null;
}

async function verifyAll(
  store: Pick<Store, 'db'>,
  { keys, from, say }: Pick<Verification, 'keys' | 'say'> & { readonly from: number },
): Promise<Total> {
  const { verifySeals } = await import('@insurance-verification/store');
  let [sealCount, lineCount] = [0, 0];
  const dropped: DropStatement[] = [];
  for (let after = from; ;) {
    const verdict = await verifySeals(store, { keys, after, lineCountMax: STEP_LINE_COUNT });
    sealCount += verdict.sealCount;
    lineCount += verdict.lineCount;
    dropped.push(...verdict.dropped);
    if (verdict.kind === 'bad') return { sealCount, lineCount, dropped, bad: verdict.range };
    after = verdict.through;
    if (verdict.isEnd) return { sealCount, lineCount, dropped, bad: null };
    say(`${counted(lineCount, 'line')} in ${counted(sealCount, 'seal')} so far.`);
  }
}

async function documentOf(total: Total, copies: ComparedCopies | undefined) {
  const { toBadRange, toAuditDrop } = await import('@insurance-verification/store');
  return {
    verified: faultOf(total, copies) === undefined,
    seal_count: total.sealCount,
    line_count: total.lineCount,
    dropped: total.dropped.map(toAuditDrop),
    bad_range: total.bad && toBadRange(total.bad),
    copies: copies
      ? {
          compared_count: copies.sealCount,
          compared_drop_count: copies.dropCount,
          resumed: copies.resumed.map(({ number, givenUp, at, by, reason }) => ({
            seal: number,
            given_up: givenUp,
            resumed_at: at.toISOString(),
            resumed_by: by,
            reason,
          })),
          bad: copies.bad,
        }
      : null,
  };
}

/** What no database tells of itself. */
const UNKNOWN =
  'Without a copy of the seals nobody can know whether the last ones were removed or made anew: give --seals.';

function sentenceOf({ sealCount, lineCount }: Total, copies: ComparedCopies | undefined): string {
  const were = `${counted(lineCount, 'line')} in ${counted(sealCount, 'seal')} are as they were written.`;
  if (!copies) return `${were} ${UNKNOWN}`;
  const records = copies.dropCount > 0 ? ` and ${counted(copies.dropCount, 'record')} of dropped lines` : '';
  return `${were} The database has the ${counted(copies.sealCount, 'seal')}${records} of the copy.`;
}

/** Why it ends with 1. */
function faultOf(
  { sealCount, lineCount, dropped, bad }: Total,
  copies: ComparedCopies | undefined,
): string | undefined {
  if (bad)
    return [
      describeRange(bad),
      ...dropped.map(describeDrop),
      `Before it ${counted(lineCount, 'line')} in ${counted(sealCount, 'seal')} are as they were written.`,
    ].join('\n');
  if (copies?.bad) return describeCopy(copies.bad);
  return sealCount === 0 && dropped.length === 0 ? 'Nothing is sealed yet.' : undefined;
}
