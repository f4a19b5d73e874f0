import { type RequestModel, RequestState } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { sinceText } from '../terminal/duration.ts';
import { type Block, table } from '../terminal/table.ts';

interface Options extends PageOptions {
  readonly state?: RequestState;
}

/** `iv requests list` */
export function addListRequests(requests: Command): void {
  addPageOptions(withExample(requests.command('list'), 'iv requests list --state pending --limit 50'))
    .description('list requests, newest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices(RequestState.options))
    .action(async ({ state, ...page }: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const answer = await readPage((own) => client.requests.list({ state, ...own }), page);
      answerPage(terminal, answer, { lines, none: 'No requests.' });
    });
}

/** Leaves out the patients: others may see the screen. */
function lines(requests: readonly RequestModel[]): Block[] {
  return table(
    ['REQUEST_ID', 'STATE', 'WAITING', 'PAYER', 'ERROR_REASON', 'RECEIVED'],
    requests.map(({ request_id, state, received_timestamp, input, error_reason }) => [
      request_id,
      state,
      state === 'pending' ? sinceText(received_timestamp) : null,
      input.payer_info.name,
      error_reason,
      received_timestamp,
    ]),
  );
}
