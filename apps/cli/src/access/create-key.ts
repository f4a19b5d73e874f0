import { Scope } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';

interface Options {
  readonly account: string;
  readonly scope: Scope[];
  readonly name?: string;
  readonly expires?: string;
  readonly neverExpires?: true;
  readonly allowFrom?: string[];
}

/** `iv keys create`: the only command that ever shows the key's text. */
export function addCreateKey(keys: Command): void {
  withExample(keys.command('create'), 'iv keys create --account acct_… --scope requests --name billing')
    .description('make an API key; its text is shown this once')
    .requiredOption('--account <account_id>', 'the account it acts for; `iv accounts list` shows them')
    .addOption(
      new Option('--scope <scope...>', 'what it may do; on a provider account requests and secrets only')
        .choices(Scope.options)
        .default(['requests']),
    )
    .option('--name <name>', 'a name, for people')
    .option(
      '--expires <time>',
      'when it stops working, such as 2027-01-01T00:00:00Z; in a year when left out',
    )
    .option('--allow-from <cidr...>', 'the only networks it works from; anywhere when left out')
    .addOption(new Option('--never-expires', 'it works until it is revoked').conflicts('expires'))
    .action(async ({ account, scope, name, expires, neverExpires, allowFrom }: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const expiresAt = neverExpires ? null : expires;
      const key = {
        account_id: account,
        scopes: scope,
        name,
        expires_at: expiresAt,
        allowed_cidrs: allowFrom,
      };
      const created = await client.keys.create(key);
      terminal.answer(
        created,
        fields([
          ['key', created.key],
          ['key_id', created.key_id],
          ['account_id', created.account_id],
          ['scopes', created.scopes.join(' ')],
          ['name', created.name],
          ['expires', created.expires_at],
          ['allowed from', created.allowed_cidrs?.join(' ') ?? 'anywhere'],
        ]),
      );
      terminal.say('The key is shown this once; only a hash of it is kept.');
    });
}
