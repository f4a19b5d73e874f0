import type { ApiKey } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';

/** `iv keys list` */
export function addListKeys(keys: Command): void {
  addPageOptions(withExample(keys.command('list'), 'iv keys list --limit 50'))
    .description("list every account's API keys, newest first, revoked ones too")
    .action(async (options: PageOptions, command: Command) => {
      const { client, terminal } = await connect(command);
      const page = await readPage(client.keys.list, options);
      answerPage(terminal, page, { lines, none: 'No API keys.' });
    });
}

function lines(keys: readonly ApiKey[]): Block[] {
  return table(
    ['KEY_ID', 'STATUS', 'NAME', 'SCOPES', 'LAST_USED', 'ACCOUNT_ID', 'PREFIX'],
    keys.map((key) => [
      key.key_id,
      statusOf(key),
      key.name,
      key.scopes.join(' '),
      key.last_used_at,
      key.account_id,
      key.prefix,
    ]),
  );
}

function statusOf({ revoked_at: revokedAt, expires_at: expiresAt }: ApiKey): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && new Date(expiresAt) <= new Date() ? 'expired' : 'live';
}
