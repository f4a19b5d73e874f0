import { AccountKind, AccountMode } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { accountFields } from './account-fields.ts';

interface Options {
  readonly name: string;
  readonly kind?: AccountKind;
  readonly mode?: AccountMode;
}

/** `iv accounts create` */
export function addCreateAccount(accounts: Command): void {
  withExample(accounts.command('create'), 'iv accounts create --name "Main Street Dental" --mode test')
    .description('make an account with a webhook secret of its own')
    .requiredOption('--name <name>', 'a name, for people')
    .addOption(
      new Option('--kind <kind>', 'who it belongs to; provider when left out').choices(AccountKind.options),
    )
    .addOption(
      new Option('--mode <mode>', 'whether its requests are real; live when left out').choices(
        AccountMode.options,
      ),
    )
    .action(async ({ name, kind, mode }: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const account = await client.accounts.create({ name, kind, mode });
      terminal.answer(account, accountFields(account));
    });
}
