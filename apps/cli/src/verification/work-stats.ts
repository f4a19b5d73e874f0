import type { ChannelStats } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { connect } from '../connect.ts';
import { withExample } from '../example.ts';
import { table } from '../table.ts';

/** `iv work stats` */
export function addWorkStats(work: Command): void {
  withExample(work.command('stats'), 'iv work stats')
    .description('show how every channel of every payer stands, and has done in the last 24 hours')
    .action(async (_options: object, command: Command) => {
      const { client, terminal } = connect(command);
      const stats = await client.work.stats();
      terminal.answer(stats, lines(stats.items));
    });
}

function lines(items: readonly ChannelStats[]): string[] {
  return table(
    [
      'PAYER',
      'CHANNEL',
      'WAITING',
      'LEASED',
      'OVERDUE',
      'OLDEST',
      'DONE',
      'FAILED',
      'P50',
      'P90',
      'MOST FAILED',
    ],
    items.map((item) => [
      item.payer,
      item.channel,
      item.waiting_count,
      item.leased_count,
      item.overdue_count,
      seconds(item.oldest_seconds),
      item.succeeded_count,
      item.failed_count,
      seconds(item.seconds_to_result_p50),
      seconds(item.seconds_to_result_p90),
      item.failures[0]?.error_reason,
    ]),
  );
}

function seconds(value: number | null): string | null {
  return value === null ? null : `${Math.round(value)} s`;
}
