import type { HeldOutput } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { connect } from '../connect.ts';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../page.ts';
import { table } from '../table.ts';

/** `iv held list` */
export function addListHeld(held: Command): void {
  addPageOptions(withExample(held.command('list'), 'iv held list --limit 50'))
    .description('list the outputs that wait, newest first')
    .action(async (options: PageOptions, command: Command) => {
      const { client, terminal } = connect(command);
      const page = await readPage(client.heldOutputs, options, {});
      answerPage(terminal, page, { lines, none: 'Nothing is held.', command: 'iv held list' });
    });
}

function lines(outputs: readonly HeldOutput[]): string[] {
  return table(
    ['HELD_ID', 'REASON', 'RECEIVED', 'REQUEST_ID'],
    outputs.map(({ held_id, reason, received_at, request_id }) => [held_id, reason, received_at, request_id]),
  );
}
