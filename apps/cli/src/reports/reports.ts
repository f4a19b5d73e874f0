import {
  FORMULA,
  type ReportQuery,
  type ReportRow,
  type ReportSubject,
} from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import papaparse from 'papaparse';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { type Cell, table } from '../terminal/table.ts';

type Column = keyof ReportRow;

/** What a command reports by a word of `--of`. With the column `at` it shows the steps, without it the other rows. */
type Shown = readonly [word: string, of: ReportSubject, columns: readonly Column[]];

interface ReportCommand {
  readonly name: string;
  readonly example: string;
  readonly description: string;
  /** The default first. With only one, the command has no `--of`. */
  readonly shown: readonly [Shown, ...Shown[]];
  readonly ofDescription?: string;
  /** Is of now, so it takes no time. */
  readonly isOfNow?: true;
  /** Can show each step instead of the whole time. */
  readonly hasSteps?: true;
  /** Shown instead of a table without rows. */
  readonly empty: string;
}

const REQUESTS: readonly Column[] = [
  'received_count',
  'completed_count',
  'not_verified_count',
  'corrected_count',
  'met_count',
  'overdue_count',
];
const TIMES: readonly Column[] = ['count', 'within_20_seconds_count', 'p50_ms', 'p90_ms', 'p99_ms', 'max_ms'];
const REASONS: readonly Column[] = ['reason', 'fixed_by', 'count'];

const COMMANDS: readonly ReportCommand[] = [
  {
    name: 'requests',
    example: 'iv report requests --from 2026-11-01T00:00:00Z --step day',
    description:
      'requests by outcome: received, verified, not verified, corrected; met and overdue of those needed by a time',
    shown: [['requests', 'requests', ['at', ...REQUESTS]]],
    empty: 'The report has no step.',
  },
  {
    name: 'times',
    example: 'iv report times --of handling --step day',
    description:
      'how long something took, in milliseconds: medians and percentiles, within 4.5 % of the exact ones',
    shown: [
      ['result', 'result_times', ['channel', ...TIMES]],
      ['handling', 'handling_times', ['channel', ...TIMES]],
      ['payer_answer', 'payer_times', ['payer_id', ...TIMES]],
      ['delivery', 'delivery_times', TIMES],
    ],
    ofDescription: 'what is timed',
    hasSteps: true,
    empty: 'Nothing was timed.',
  },
  {
    name: 'reasons',
    example: 'iv report reasons --of delivery',
    description: 'how often which reason was given, and who has to act on it',
    shown: [
      ['verification', 'failure_reasons', REASONS],
      ['delivery', 'delivery_reasons', REASONS],
    ],
    ofDescription: 'of requests that could not be verified, or of webhook attempts',
    empty: 'No reason was given.',
  },
  {
    name: 'queue',
    example: 'iv report queue',
    description: 'what waits now, by payer and channel',
    shown: [['queue', 'queue', ['payer_id', 'channel', 'waiting_count', 'leased_count', 'oldest_seconds']]],
    isOfNow: true,
    empty: 'Nothing waits.',
  },
  {
    name: 'held',
    example: 'iv report held --step day',
    description: 'outputs that were held, applied and dismissed; with --json also what is held now',
    shown: [['held', 'held', ['at', 'held_count', 'applied_count', 'dismissed_count']]],
    empty: 'The report has no step.',
  },
];

interface Options extends Pick<ReportQuery, 'from' | 'until'>, Partial<Pick<ReportQuery, 'step' | 'zone'>> {
  readonly of?: string;
  readonly account?: string;
  readonly steps?: true;
  readonly csv?: true;
}

/** `iv report requests`, `times`, `reasons`, `queue` and `held` */
export function addReports(report: Command): void {
  for (const command of COMMANDS) addReport(report, command);
}

function addReport(report: Command, asked: ReportCommand): void {
  const { name, example, description, shown, ofDescription, isOfNow, hasSteps } = asked;
  const command = withExample(report.command(name), example).description(description);
  if (!isOfNow)
    command
      .option('--from <time>', 'where it begins; 24 hours before the end when not given')
      .option('--until <time>', 'where it ends; now when not given')
      .addOption(
        new Option('--step <step>', 'how long each step is').choices(['hour', 'day']).default('hour'),
      )
      .option('--zone <name>', 'the time zone in which days begin', 'UTC');
  command
    .option(
      '--account <account_id>',
      'one account; all live ones when not given, or your own without `operate`',
    )
    .option('--csv', 'comma-separated values instead of a table');
  const words = shown.map(([word]) => word);
  if (words.length > 1)
    command.addOption(new Option('--of <what>', ofDescription).choices(words).default(words[0]));
  if (hasSteps) command.option('--steps', 'each step, instead of the whole time');
  command.action((options: Options, own: Command) => show(asked, options, own));
}

/** Shows a report as a table, as CSV (RFC 4180) or, with `--json`, as the service's answer. */
async function show(
  { shown, empty }: ReportCommand,
  { of: chosen, from, until, step, zone, account, steps, csv }: Options,
  command: Command,
): Promise<void> {
  const [, of, own] = shown.find(([word]) => word === chosen) ?? shown[0];
  const { client, terminal } = await connect(command);
  const answer = await client.reports.get({
    of,
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(step !== undefined && { step }),
    ...(zone !== undefined && { zone }),
    ...(account !== undefined && { account_id: account }),
  });
  const columns: readonly Column[] = steps ? ['at', ...own] : own;
  const rows = answer.items
    .filter(({ at }) => (at !== null) === columns.includes('at'))
    .map((row) => columns.map((column) => cellOf(row, column)));
  const heads = columns.map((column) => column.replace(/_count$/, '').replace('_seconds', '_s'));
  const tabled = table(
    heads.map((head) => head.toUpperCase()),
    rows,
  );
  if (csv) terminal.answer(answer, [csvOf(heads, rows)]);
  else terminal.answer(answer, tabled.length > 0 ? tabled : [empty]);
}

const cellOf = (row: ReportRow, column: Column): Cell =>
  column === 'oldest_seconds' && typeof row.oldest_seconds === 'number'
    ? Math.round(row.oldest_seconds)
    : row[column];

/** A text that begins like a formula is marked as text by an apostrophe, for those who open the file in a spreadsheet. */
const csvOf = (heads: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  papaparse.unparse([heads, ...rows], { escapeFormulae: FORMULA, newline: '\n' });
