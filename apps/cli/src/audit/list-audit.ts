import type { AuditLine } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readFullPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';
import { addAuditFilter, type AuditFilterOptions, auditFilterOf } from './audit-filter.ts';

/** `iv audit list`, and `iv audit` alone. */
export function addListAudit(audit: Command): void {
  const example = 'iv audit list --operation requests.get --since 2026-11-01T00:00:00Z';
  addAuditFilter(addPageOptions(withExample(audit.command('list', { isDefault: true }), example)))
    .description('list who did or saw what, newest first; reading it is on record too')
    .action(async (options: PageOptions & AuditFilterOptions, command: Command) => {
      const { client, terminal } = await connect(command);
      const filter = auditFilterOf(options);
      const page = await readFullPage((own) => client.audit.list({ ...filter, ...own }), options);
      answerPage(terminal, page, { lines, none: 'Nothing on record.' });
    });
}

function lines(items: readonly AuditLine[]): Block[] {
  return table(
    [
      'AT',
      'OPERATION',
      'OUTCOME',
      'REQUEST_ID',
      'REQUESTS',
      'REQUEST_ACCOUNT_ID',
      'SUBJECT_ID',
      'KEY_ID',
      'NAME',
      'LINK BY',
      'ADDRESS',
      'ACCOUNT_ID',
    ],
    items.map((line) => [
      line.at,
      line.operation,
      line.outcome,
      line.request_id,
      line.request_count,
      line.request_account_id,
      line.subject_id,
      line.key_id,
      line.name,
      line.link_by,
      line.address,
      line.account_id,
    ]),
  );
}
