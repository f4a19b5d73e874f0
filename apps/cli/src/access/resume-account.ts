import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { accountFields } from './account-fields.ts';

/** `iv accounts resume` */
export function addResumeAccount(accounts: Command): void {
  withExample(accounts.command('resume'), 'iv accounts resume acct_…')
    .description('let the keys of a suspended account work again')
    .argument('<account_id>', 'its id')
    .action(async (accountId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const resuming = client.accounts.resume({ account_id: accountId });
      const account = await nameMissing(`account ${accountId}`, 'iv accounts list', resuming);
      terminal.answer(account, accountFields(account));
    });
}
