import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { type RangeOptions, rangeOf, withRange } from './range-options.ts';
import { showReport } from './show-report.ts';

/** `iv report requests` */
export function addReportRequests(report: Command): void {
  withRange(
    withExample(report.command('requests'), 'iv report requests --from 2026-11-01T00:00:00Z --step day'),
  )
    .description(
      'requests by outcome: received, verified, not verified, corrected; met and overdue of those needed by a time',
    )
    .action(async ({ csv, ...options }: RangeOptions & { csv?: true }, command: Command) => {
      const { client, terminal } = await connect(command);
      const answer = await client.reports.requests(rangeOf(options));
      showReport(
        terminal,
        answer,
        {
          columns: ['at', 'received', 'completed', 'not_verified', 'corrected', 'met', 'overdue'],
          rows: answer.items.map((item) => [
            item.at,
            item.received_count,
            item.completed_count,
            item.not_verified_count,
            item.corrected_count,
            item.met_count,
            item.overdue_count,
          ]),
          empty: 'The report has no step.',
        },
        csv,
      );
    });
}
