import type { Erasure } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';

/** `iv erasures list` */
export function addListErasures(erasures: Command): void {
  addPageOptions(withExample(erasures.command('list'), 'iv erasures list --limit 50'))
    .description('list the erasures that wait for a second person, and those that are done, newest first')
    .action(async (options: PageOptions, command: Command) => {
      const { client, terminal } = await connect(command);
      const page = await readPage(client.erasures.list, options);
      answerPage(terminal, page, { lines, none: 'No erasures.' });
    });
}

function lines(erasures: readonly Erasure[]): Block[] {
  return table(
    ['ERASURE_ID', 'REQUEST_ID', 'REASON', 'ASKED', 'BY', 'ERASED', 'CONFIRMED BY'],
    erasures.map((one) => [
      one.erasure_id,
      one.request_id,
      one.reason,
      one.asked_at,
      one.asked_by,
      one.erased_at,
      one.confirmed_by,
    ]),
  );
}
