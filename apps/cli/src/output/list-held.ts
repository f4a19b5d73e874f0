import { type HeldOutput, HeldReason } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';

interface Options extends PageOptions {
  readonly reason?: HeldReason;
  readonly since?: string;
  readonly until?: string;
}

/** `iv held list` */
export function addListHeld(held: Command): void {
  addPageOptions(withExample(held.command('list'), 'iv held list --reason superseding --limit 50'))
    .description('list the outputs that wait, newest first')
    .addOption(new Option('--reason <reason>', 'only those held for this reason').choices(HeldReason.options))
    .option('--since <time>', 'only those received then or later')
    .option('--until <time>', 'only those received before')
    .action(async ({ reason, since, until, ...page }: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const answer = await readPage((own) => client.heldOutputs.list({ reason, since, until, ...own }), page);
      answerPage(terminal, answer, { lines, none: 'Nothing is held.' });
    });
}

function lines(outputs: readonly HeldOutput[]): Block[] {
  return table(
    ['HELD_ID', 'REASON', 'REQUEST_ID', 'RECEIVED'],
    outputs.map(({ held_id, reason, received_at, request_id }) => [held_id, reason, request_id, received_at]),
  );
}
