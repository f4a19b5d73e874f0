import type { LegalHold } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';

/** `iv holds list` */
export function addListHolds(holds: Command): void {
  addPageOptions(withExample(holds.command('list'), 'iv holds list --limit 50'))
    .description('list the legal holds, also those that were ended, newest first')
    .action(async (options: PageOptions, command: Command) => {
      const { client, terminal } = await connect(command);
      const page = await readPage(client.holds.list, options);
      answerPage(terminal, page, { lines, none: 'No legal holds.' });
    });
}

function lines(holds: readonly LegalHold[]): Block[] {
  return table(
    ['HOLD_ID', 'COVERS', 'SINCE', 'BY', 'ENDED', 'REASON'],
    holds.map((hold) => [
      hold.hold_id,
      hold.request_id ?? hold.account_id,
      hold.placed_at,
      hold.placed_by,
      hold.ended_at,
      hold.reason,
    ]),
  );
}
