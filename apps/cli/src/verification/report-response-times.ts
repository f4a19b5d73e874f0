import type { PayerResponseTimes } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';

/** The share of answers within 20 seconds that the CAQH CORE rule requires. */
const RULE_SHARE = 0.9;

/** `iv report response-times` */
export function addReportResponseTimes(report: Command): void {
  withExample(report.command('response-times'), 'iv report response-times --month 2026-11')
    .description('how fast each payer answered over X12 in a month; the CORE rule asks for 90 % within 20 s')
    .option('--month <YYYY-MM>', 'the month, in UTC; the current one when not given')
    .action(async ({ month }: { month?: string }, command: Command) => {
      const { client, terminal } = await connect(command);
      const answer = await client.reports.responseTimes(month === undefined ? {} : { month });
      const { items } = answer;
      terminal.answer(
        answer,
        items.length > 0 ? lines(items) : [`No payer was asked over X12 in ${answer.month}.`],
      );
    });
}

function lines(items: readonly PayerResponseTimes[]): Block[] {
  return table(
    ['PAYER_ID', 'INQUIRIES', 'WITHIN_20_S', 'RULE', 'P50_MS', 'P90_MS', 'SLOWEST_MS'],
    items.map((item) => [
      item.payer_id,
      String(item.inquiry_count),
      `${(item.within_20_seconds_share * 100).toFixed(1)} %`,
      item.within_20_seconds_share >= RULE_SHARE ? 'met' : 'missed',
      textOf(item.p50_ms),
      textOf(item.p90_ms),
      textOf(item.slowest_ms),
    ]),
  );
}

function textOf(milliseconds: number | null): string {
  return milliseconds === null ? '-' : String(milliseconds);
}
