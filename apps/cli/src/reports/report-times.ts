import type { TimedEvent, TimesOfGroup } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { type RangeOptions, rangeOf, withRange } from './range-options.ts';
import { showReport } from './show-report.ts';

type Options = RangeOptions & { readonly of: TimedEvent; readonly steps?: true; readonly csv?: true };

/** `iv report times` */
export function addReportTimes(report: Command): void {
  withRange(withExample(report.command('times'), 'iv report times --of handling --step day'))
    .description(
      'how long something took, in milliseconds: medians and percentiles, within 4.5 % of the exact ones',
    )
    .addOption(
      new Option('--of <what>', 'what is timed')
        .choices(['result', 'handling', 'payer_answer', 'delivery'])
        .default('result'),
    )
    .option('--steps', 'each step, instead of the whole time')
    .action(async ({ of, steps, csv, ...options }: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const answer = await client.reports.times({ of, ...rangeOf(options) });
      const columns = ['group', 'count', 'within_20_s', 'p50_ms', 'p90_ms', 'p99_ms', 'max_ms'];
      const empty = 'Nothing was timed.';
      const shown = steps
        ? {
            columns: ['at', ...columns],
            rows: answer.items.map((item) => [item.at, ...cellsOf(item)]),
            empty,
          }
        : { columns, rows: answer.totals.map(cellsOf), empty };
      showReport(terminal, answer, shown, csv);
    });
}

const cellsOf = (times: TimesOfGroup) => [
  times.group,
  times.count,
  times.within_20_seconds_count,
  times.p50_ms,
  times.p90_ms,
  times.p99_ms,
  times.max_ms,
];
