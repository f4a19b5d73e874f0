import type { Account } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';

/** `iv accounts list` */
export function addListAccounts(accounts: Command): void {
  addPageOptions(withExample(accounts.command('list'), 'iv accounts list --limit 50'))
    .description('list the accounts, newest first')
    .action(async (options: PageOptions, command: Command) => {
      const { client, terminal } = await connect(command);
      const page = await readPage(client.accounts.list, options);
      answerPage(terminal, page, { lines, none: 'No accounts.' });
    });
}

function lines(accounts: readonly Account[]): Block[] {
  return table(
    ['ACCOUNT_ID', 'NAME', 'KIND', 'MODE', 'RETENTION', 'SUSPENDED', 'CREATED'],
    accounts.map(({ account_id, kind, mode, created_at, suspended_at, name, ...account }) => [
      account_id,
      name,
      kind,
      mode,
      retentionOf(account),
      suspended_at,
      created_at,
    ]),
  );
}

function retentionOf({
  retention_days: days,
  retention_asked: asked,
}: Pick<Account, 'retention_days' | 'retention_asked'>): string {
  const present = days === null ? 'kept' : `${days} days`;
  return asked === null ? present : `${present}, ${asked} to confirm`;
}
