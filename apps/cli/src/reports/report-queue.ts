import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { accountOf, withAccount } from './range-options.ts';
import { showReport } from './show-report.ts';

/** `iv report queue` */
export function addReportQueue(report: Command): void {
  withAccount(withExample(report.command('queue'), 'iv report queue'))
    .description('what waits now, by payer and channel')
    .action(async ({ csv, account }: { csv?: true; account?: string }, command: Command) => {
      const { client, terminal } = await connect(command);
      const answer = await client.reports.queue(accountOf({ account }));
      showReport(
        terminal,
        answer,
        {
          columns: ['payer_id', 'channel', 'waiting', 'leased', 'oldest_s'],
          rows: answer.items.map((item) => [
            item.payer_id,
            item.channel,
            item.waiting_count,
            item.leased_count,
            item.oldest_seconds === null ? null : Math.round(item.oldest_seconds),
          ]),
          empty: 'Nothing waits.',
        },
        csv,
      );
    });
}
