import type { ChannelStats, PayerAskedCodes, PayerResponseTimes } from '@insurance-verification/schema';
import { type Column, command, tableOf } from '../command/command.ts';
import { durationText } from '../terminal/table.ts';

const CHANNEL_COLUMNS: readonly Column<ChannelStats>[] = [
  'payer',
  'channel',
  ['waiting', 'waiting_count'],
  ['claimable', 'claimable_count'],
  ['late', 'late_count'],
  ['leased', 'leased_count'],
  ['overdue', 'overdue_count'],
  ['oldest', (item) => durationOf(item.oldest_claimable_seconds ?? item.oldest_seconds)],
  ['done', 'succeeded_count'],
  ['failed', 'failed_count'],
  ['p50', (item) => durationOf(item.seconds_to_result_p50)],
  ['p90', (item) => durationOf(item.seconds_to_result_p90)],
  ['most failed', (item) => item.failures[0]?.error_reason],
];

/** `iv work …` */
export const workCommands = [
  command('stats', 'work.stats', {
    example: 'iv work stats',
    about: 'show the queue of every channel of every payer, and its results of the last 24 hours',
    options: { verifier: ['--verifier <who>', 'who would claim; by default a verifier of all channels'] },
    blocks: ({ items }) => tableOf(CHANNEL_COLUMNS, items.filter(hasSomething)),
    say: ({ items }) => {
      const shownCount = items.filter(hasSomething).length;
      return shownCount < items.length ? describeQuiet(shownCount) : '';
    },
  }),
];

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

/** The share of answers within 20 seconds that the CAQH CORE rule requires. */
const RULE_SHARE = 0.9;

const PAYER_COLUMNS: readonly Column<PayerResponseTimes>[] = [
  'payer_id',
  ['inquiries', 'inquiry_count'],
  ['within_20_s', ({ within_20_seconds_share: share }) => `${(share * 100).toFixed(1)} %`],
  ['rule', ({ within_20_seconds_share: share }) => (share >= RULE_SHARE ? 'met' : 'missed')],
  'p50_ms',
  'p90_ms',
  'slowest_ms',
];

/** `iv report response-times` */
export const addReportResponseTimes = command('response-times', 'reports.responseTimes', {
  example: 'iv report response-times --month 2026-11',
  about: 'how fast each payer answered over X12 in a month; the CORE rule asks for 90 % within 20 s',
  options: { month: ['--month <YYYY-MM>', 'the month, in UTC; the current one when not given'] },
  blocks: ({ items, month }) =>
    items.length > 0 ? tableOf(PAYER_COLUMNS, items) : [`No payer was asked over X12 in ${month}.`],
});

const CODE_COLUMNS: readonly Column<PayerAskedCodes>[] = [
  'payer_id',
  ['inquiries', 'inquiry_count'],
  ['further', 'further_inquiry_count'],
  ['cdt', ({ dental }) => dental.asked_count],
  ['answered', ({ dental }) => dental.answered_count],
  ['refused', ({ dental }) => dental.refused_count],
  ['cpt', ({ medical }) => medical.asked_count],
  ['answered', ({ medical }) => medical.answered_count],
  ['refused', ({ medical }) => medical.refused_count],
  'advice',
];

/** `iv report asked-codes` */
export const addReportAskedCodes = command('asked-codes', 'reports.askedCodes', {
  example: 'iv report asked-codes --month 2026-11',
  about:
    'the codes that each payer was asked for over X12 in a month, answered and refused; which setting is wrong',
  options: {
    month: ['--month <YYYY-MM>', 'the month, in UTC; the current one when not given'],
    account_id: ['--account <id>', "for operators: one account's"],
  },
  blocks: ({ items, month }) =>
    items.length > 0 ? tableOf(CODE_COLUMNS, items) : [`No payer was asked over X12 in ${month}.`],
});
