import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { accountFields } from './account-fields.ts';

/** `iv accounts suspend` */
export function addSuspendAccount(accounts: Command): void {
  withExample(accounts.command('suspend'), 'iv accounts suspend acct_…')
    .description('refuse its keys; what it had accepted is still verified and delivered')
    .argument('<account_id>', 'its id')
    .action(async (accountId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const suspending = client.accounts.suspend({ account_id: accountId });
      const account = await nameMissing(`account ${accountId}`, 'iv accounts list', suspending);
      terminal.answer(account, accountFields(account));
    });
}
