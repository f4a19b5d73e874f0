import type { AuditSeal } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';

/** `iv audit seals` */
export function addListSeals(audit: Command): void {
  addPageOptions(withExample(audit.command('seals'), 'iv audit seals --limit 5'))
    .description('list the seals of the audit, newest first; nobody has verified them yet')
    .action(async (options: PageOptions, command: Command) => {
      const { client, terminal } = await connect(command);
      const page = await readPage((own) => client.audit.seals(own), options);
      const none = options.cursor === undefined ? 'Nothing is sealed yet.' : 'No older seals.';
      answerPage(terminal, page, { lines, none });
    });
}

function lines(items: readonly AuditSeal[]): Block[] {
  return table(
    ['SEAL', 'SEALED_AT', 'LINES', 'FIRST_ID', 'LAST_ID', 'MISDATED', 'ROOT'],
    items.map((seal) => [
      seal.seal,
      seal.sealed_at,
      seal.line_count,
      seal.first_id,
      seal.last_id,
      seal.misdated_count,
      seal.root,
    ]),
  );
}
