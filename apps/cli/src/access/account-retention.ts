import type { AccountRetention } from '@insurance-verification/schema';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { type Block, fields, table } from '../terminal/table.ts';

interface Options {
  readonly days?: number;
  readonly keep?: true;
  readonly dryRun?: true;
}

/** `iv accounts retention`: shows it, counts what other days would erase, or sets it. */
export function addAccountRetention(accounts: Command): void {
  withExample(accounts.command('retention'), 'iv accounts retention acct_… --days 90 --dry-run')
    .description(
      'show how long an account keeps the data of finished requests; with options, set it: a shorter one is asked for, and a second person confirms it in the console, within 7 days',
    )
    .argument('<account_id>', 'its id; `iv accounts list` shows it')
    .option('--days <number>', 'erase the data so many days after the end of a request', parseDays)
    .addOption(new Option('--keep', 'keep the data').conflicts('days'))
    .option('--dry-run', 'only count what --days would erase')
    .action(async (accountId: string, { days, keep, dryRun }: Options, command: Command) => {
      if (dryRun && days === undefined)
        throw new WrongUsageError(
          '--dry-run counts what --days would erase. Expected for example: --days 90 --dry-run',
        );
      const { client, terminal } = await connect(command);
      const account = { account_id: accountId };
      const asking =
        !dryRun && (keep || days !== undefined)
          ? client.accounts.setRetention({ ...account, retention_days: keep ? null : (days ?? null) })
          : client.accounts.retention({ ...account, ...(days !== undefined && { days }) });
      const retention = await nameMissing(`account ${accountId}`, 'iv accounts list', asking);
      terminal.answer(retention, lines(retention, days));
    });
}

function parseDays(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a number of days: 90.');
  return Number(text);
}

const inWords = (days: number | null) => (days === null ? 'kept' : `${days} days`);

function lines(retention: AccountRetention, days = retention.retention_days): Block[] {
  const {
    account_id: accountId,
    erases_from: erasesFrom,
    would_erase: count,
    more,
    asked,
    changes,
  } = retention;
  return [
    ...fields([
      ['account_id', accountId],
      ['retention', inWords(retention.retention_days)],
      ['erases from', erasesFrom],
      ['asked', asked && `${asked.retention_days} days, ${asked.asked_at} by ${asked.asked_by}`],
      ['to confirm until', asked && asked.lapses_at],
      [
        'to erase',
        days === null ? null : `${more ? 'more than ' : ''}${count} finished requests after ${days} days`,
      ],
      [
        'legal hold',
        retention.holds.map((hold) => `held since ${hold.placed_at} by hold ${hold.hold_id}`).join('\n') ||
          null,
      ],
    ]),
    ...(changes.length === 0
      ? []
      : [
          '',
          ...table(
            ['CHANGED', 'BY', 'ASKED BY', 'FROM', 'TO'],
            changes.map((change) => [
              change.changed_at,
              change.changed_by,
              change.asked_by,
              inWords(change.days_before),
              inWords(change.days_after),
            ]),
          ),
        ]),
  ];
}
