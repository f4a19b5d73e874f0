import { type AccountLimits, LimitPolicy, type NewQuota } from '@insurance-verification/schema';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { type Block, fields, table } from '../terminal/table.ts';

type Quotas = Partial<Record<LimitPolicy, NewQuota | null>>;

interface Options {
  readonly set?: Quotas;
  readonly default?: LimitPolicy[];
  readonly allowFrom?: string[];
  readonly allowAnywhere?: true;
}

/** `iv accounts limits`: shows them, or sets what the options name. */
export function addAccountLimits(accounts: Command): void {
  withExample(accounts.command('limits'), 'iv accounts limits acct_… --set intake=360000/60')
    .description('show what an account may take, and from where; with options, set it')
    .argument('<account_id>', 'its id; `iv accounts list` shows it')
    .option('--set <policy=quota/seconds...>', 'a quota of its own, such as reads=600/60', parseQuotas)
    .addOption(new Option('--default <policy...>', 'the default quota again').choices(LimitPolicy.options))
    .option('--allow-from <cidr...>', 'the only networks its keys work from')
    .addOption(new Option('--allow-anywhere', 'let its keys work from anywhere').conflicts('allowFrom'))
    .action(async (accountId: string, options: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const account = { account_id: accountId };
      const changes = changesOf(options);
      const asking =
        Object.keys(changes).length === 0
          ? client.accounts.limits(account)
          : client.accounts.setLimits({ ...account, ...changes });
      const limits = await nameMissing(`account ${accountId}`, 'iv accounts list', asking);
      terminal.answer(limits, lines(limits));
    });
}

function changesOf({ set, default: defaults = [], allowFrom, allowAnywhere }: Options) {
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

function lines({ account_id: accountId, policies, allowed_cidrs: allowedCidrs }: AccountLimits): Block[] {
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
