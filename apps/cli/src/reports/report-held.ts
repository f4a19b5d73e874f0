import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { type RangeOptions, rangeOf, withRange } from './range-options.ts';
import { showReport } from './show-report.ts';

/** `iv report held` */
export function addReportHeld(report: Command): void {
  withRange(withExample(report.command('held'), 'iv report held --step day'))
    .description('outputs that were held, applied and dismissed; with --json also what is held now')
    .action(async ({ csv, ...options }: RangeOptions & { csv?: true }, command: Command) => {
      const { client, terminal } = await connect(command);
      const answer = await client.reports.held(rangeOf(options));
      showReport(
        terminal,
        answer,
        {
          columns: ['at', 'held', 'applied', 'dismissed'],
          rows: answer.items.map((item) => [
            item.at,
            item.held_count,
            item.applied_count,
            item.dismissed_count,
          ]),
          empty: 'The report has no step.',
        },
        csv,
      );
    });
}
