import {
  type Account,
  type AccountLimits,
  type AccountRetention,
  LimitPolicy,
  type NewQuota,
} from '@insurance-verification/schema';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { command } from '../command/command.ts';
import { withExample } from '../example.ts';
import { nameMissing, SUBJECTS, WrongUsageError } from '../failure/failure.ts';
import { connect } from '../service/connect.ts';
import { type Block, fields, table } from '../terminal/table.ts';

const inWords = (days: number | null) => (days === null ? 'kept' : `${days} days`);

const retentionOf = ({ retention_days: days, retention_asked: asked }: Account) =>
  asked === null ? inWords(days) : `${inWords(days)}, ${asked} to confirm`;

/** One account, one field per line. */
const accountFields = [
  'account_id',
  'name',
  'kind',
  'mode',
  ['created', 'created_at'],
  ['suspended', 'suspended_at'],
  ['retention', (account: Account) => inWords(account.retention_days)],
] as const;

type Quotas = Partial<Record<LimitPolicy, NewQuota | null>>;

interface LimitOptions {
  readonly set?: Quotas;
  readonly default?: LimitPolicy[];
  readonly allowFrom?: string[];
  readonly allowAnywhere?: true;
}

/** `iv accounts limits`: shows them, or sets what the options name. */
function addAccountLimits(accounts: Command): void {
  withExample(accounts.command('limits'), 'iv accounts limits acct_… --set intake=360000/60')
    .description('show what an account may take, and from where; with options, set it')
    .argument('<account_id>', SUBJECTS.account_id.about)
    .option('--set <policy=quota/seconds...>', 'a quota of its own, such as reads=600/60', parseQuotas)
    .addOption(new Option('--default <policy...>', 'the default quota again').choices(LimitPolicy.options))
    .option('--allow-from <cidr...>', 'the only networks its keys work from')
    .addOption(new Option('--allow-anywhere', 'let its keys work from anywhere').conflicts('allowFrom'))
    .action(async (accountId: string, options: LimitOptions, typed: Command) => {
      const { client, terminal } = await connect(typed);
      const account = { account_id: accountId };
      const changes = changesOf(options);
      const asking =
        Object.keys(changes).length === 0
          ? client.accounts.limits(account)
          : client.accounts.setLimits({ ...account, ...changes });
      const limits = await nameMissing('account_id', accountId, asking);
      terminal.answer(limits, limitLines(limits));
    });
}

function changesOf({ set, default: defaults = [], allowFrom, allowAnywhere }: LimitOptions) {
  const policies: Quotas = { ...set, ...Object.fromEntries(defaults.map((policy) => [policy, null])) };
  return {
    ...(Object.keys(policies).length > 0 && { policies }),
    ...(allowFrom && { allowed_cidrs: allowFrom }),
    ...(allowAnywhere && { allowed_cidrs: null }),
  };
}

function parseQuotas(text: string, before: Quotas = {}): Quotas {
  const [, name, quota, seconds] = /^([a-z-]+)=(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  const policy = LimitPolicy.safeParse(name).data;
  if (policy === undefined) {
    throw new InvalidArgumentError(
      `Expected a policy (${LimitPolicy.options.join(', ')}), its quota and its window in seconds: intake=60000/60.`,
    );
  }
  return { ...before, [policy]: { quota: Number(quota), window_seconds: Number(seconds) } };
}

function limitLines({
  account_id: accountId,
  policies,
  allowed_cidrs: allowedCidrs,
}: AccountLimits): Block[] {
  return [
    ...fields([
      ['account_id', accountId],
      ['allowed from', allowedCidrs?.join(' ') ?? 'anywhere'],
    ]),
    '',
    ...table(
      ['POLICY', 'QUOTA', 'SECONDS', 'SET'],
      LimitPolicy.options.map((policy) => {
        const { quota, window_seconds: seconds, overridden } = policies[policy];
        return [policy, quota ?? 'off', seconds, overridden ? 'for this account' : 'default'];
      }),
    ),
  ];
}

interface RetentionOptions {
  readonly days?: number;
  readonly keep?: true;
  readonly dryRun?: true;
}

/** `iv accounts retention`: shows it, counts what other days would erase, or sets it. */
function addAccountRetention(accounts: Command): void {
  withExample(accounts.command('retention'), 'iv accounts retention acct_… --days 90 --dry-run')
    .description(
      'show how long an account keeps the data of finished requests; with options, set it: a shorter one is asked for, and a second person confirms it in the console, within 7 days',
    )
    .argument('<account_id>', SUBJECTS.account_id.about)
    .option('--days <number>', 'erase the data so many days after the end of a request', parseDays)
    .addOption(new Option('--keep', 'keep the data').conflicts('days'))
    .option('--dry-run', 'only count what --days would erase')
    .action(async (accountId: string, { days, keep, dryRun }: RetentionOptions, typed: Command) => {
      if (dryRun && days === undefined)
        throw new WrongUsageError(
          '--dry-run counts what --days would erase. Expected for example: --days 90 --dry-run',
        );
      const { client, terminal } = await connect(typed);
      const account = { account_id: accountId };
      const asking =
        !dryRun && (keep || days !== undefined)
          ? client.accounts.setRetention({ ...account, retention_days: keep ? null : (days ?? null) })
          : client.accounts.retention({ ...account, ...(days !== undefined && { days }) });
      const retention = await nameMissing('account_id', accountId, asking);
      terminal.answer(retention, retentionLines(retention, days));
    });
}

function parseDays(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a number of days: 90.');
  return Number(text);
}

function retentionLines(retention: AccountRetention, days = retention.retention_days): Block[] {
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

/** `iv accounts …` */
export const accountCommands = [
  command('create', 'accounts.create', {
    example: 'iv accounts create --name "Main Street Dental" --mode test',
    about: 'make an account with a webhook secret of its own',
    options: {
      name: ['--name <name>', 'a name, for people'],
      kind: ['--kind <kind>', 'who it belongs to'],
      mode: ['--mode <mode>', 'whether its requests are real'],
    },
    fields: accountFields,
  }),
  command('list', 'accounts.list', {
    example: 'iv accounts list --limit 50',
    about: 'list the accounts, newest first',
    columns: [
      'account_id',
      'name',
      'kind',
      'mode',
      ['retention', retentionOf],
      ['suspended', 'suspended_at'],
      ['created', 'created_at'],
    ],
    none: 'No accounts.',
  }),
  command('suspend', 'accounts.suspend', {
    example: 'iv accounts suspend acct_…',
    about: 'refuse its keys; what it had accepted is still verified and delivered',
    of: 'account_id',
    fields: accountFields,
  }),
  command('resume', 'accounts.resume', {
    example: 'iv accounts resume acct_…',
    about: 'let the keys of a suspended account work again',
    of: 'account_id',
    fields: accountFields,
  }),
  addAccountLimits,
  addAccountRetention,
];
