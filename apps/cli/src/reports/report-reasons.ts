import type { ReasonedEvent } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { type RangeOptions, rangeOf, withRange } from './range-options.ts';
import { showReport } from './show-report.ts';

type Options = RangeOptions & { readonly of: ReasonedEvent; readonly csv?: true };

/** `iv report reasons` */
export function addReportReasons(report: Command): void {
  withRange(withExample(report.command('reasons'), 'iv report reasons --of delivery'))
    .description('how often which reason was given, and who has to act on it')
    .addOption(
      new Option('--of <what>', 'of requests that could not be verified, or of webhook attempts')
        .choices(['verification', 'delivery'])
        .default('verification'),
    )
    .action(async ({ of, csv, ...options }: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const answer = await client.reports.reasons({ of, ...rangeOf(options) });
      showReport(
        terminal,
        answer,
        {
          columns: ['reason', 'fixed_by', 'count'],
          rows: answer.items.map(({ reason, fixed_by: fixedBy, count }) => [reason, fixedBy, count]),
          empty: 'No reason was given.',
        },
        csv,
      );
    });
}
