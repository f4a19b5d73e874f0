import type { AuditLine } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readFullPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';

interface Options extends PageOptions {
  readonly key?: string;
  readonly account?: string;
  readonly operation?: string;
  readonly request?: string;
  readonly subject?: string;
  readonly since?: string;
  readonly until?: string;
}

/** `iv audit list`, and `iv audit` alone. */
export function addListAudit(audit: Command): void {
  const example = 'iv audit list --operation requests.get --since 2026-11-01T00:00:00Z';
  addPageOptions(withExample(audit.command('list', { isDefault: true }), example))
    .description('list who did or saw what, newest first; reading it is on record too')
    .option('--key <key_id>', 'only what this key did')
    .option('--account <account_id>', 'only what keys of this account did')
    .option('--operation <operation>', 'only this operation, such as keys.create')
    .option('--request <request_id>', 'only what concerns this request')
    .option(
      '--subject <id>',
      'only what was done to this account, key, person, session or held output, or made it',
    )
    .option('--since <time>', 'only what happened then or later')
    .option('--until <time>', 'only what happened before')
    .action(async (options: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const { key, account, operation, request, subject, since, until } = options;
      const filter = {
        key_id: key,
        account_id: account,
        operation,
        request_id: request,
        subject_id: subject,
        since,
        until,
      };
      const page = await readFullPage((own) => client.audit.list({ ...filter, ...own }), options);
      answerPage(terminal, page, { lines, none: 'Nothing on record.' });
    });
}

function lines(items: readonly AuditLine[]): Block[] {
  return table(
    ['AT', 'OPERATION', 'REQUEST_ID', 'SUBJECT_ID', 'KEY_ID', 'ACCOUNT_ID'],
    items.map((line) => [
      line.at,
      line.operation,
      line.request_id,
      line.subject_id,
      line.key_id,
      line.account_id,
    ]),
  );
}
