import { type ChannelStats, CountWork } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { durationText } from '../terminal/duration.ts';
import { type Block, table } from '../terminal/table.ts';

/** `iv work stats` */
export function addWorkStats(work: Command): void {
  withExample(work.command('stats'), 'iv work stats')
    .description('show how every channel of every payer stands, and has done in the last 24 hours')
    .addOption(
      new Option('--verifier <who>', 'who would claim; by default somebody who works all channels').choices(
        CountWork.shape.verifier.unwrap().options,
      ),
    )
    .action(async (options: CountWork, command: Command) => {
      const { client, terminal } = await connect(command);
      const stats = await client.work.stats(options);
      const items = stats.items.filter(hasSomething);
      terminal.answer(stats, lines(items));
      if (!terminal.json && items.length < stats.items.length) terminal.say(describeQuiet(items.length));
    });
}

function lines(items: readonly ChannelStats[]): Block[] {
  return table(
    [
      'PAYER',
      'CHANNEL',
      'WAITING',
      'CLAIMABLE',
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
      item.claimable_count,
      item.leased_count,
      item.overdue_count,
      durationOf(item.oldest_claimable_seconds ?? item.oldest_seconds),
      item.succeeded_count,
      item.failed_count,
      durationOf(item.seconds_to_result_p50),
      durationOf(item.seconds_to_result_p90),
      item.failures[0]?.error_reason,
    ]),
  );
}

/** Rows of zeros say nothing, and most of twenty channels are such rows. `--json` has them all. */
function hasSomething(item: ChannelStats): boolean {
  const { waiting_count, claimable_count, leased_count, overdue_count, succeeded_count, failed_count } = item;
  return waiting_count + claimable_count + leased_count + overdue_count + succeeded_count + failed_count > 0;
}

function describeQuiet(shownCount: number): string {
  return shownCount === 0
    ? 'Nothing waits, and nothing was done in the last 24 hours.'
    : 'In the other channels nothing waits, and nothing was done in the last 24 hours.';
}

function durationOf(seconds: number | null): string | null {
  return seconds === null ? null : durationText(seconds);
}
