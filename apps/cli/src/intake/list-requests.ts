import { type ErasedRequest, type RequestModel, RequestState } from '@insurance-verification/schema';
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
      const read = async (own: object): Promise<Listed> => {
        const { items, erased, next_cursor } = await client.requests.list({ state, ...own });
        return { items: [...items, ...erased].toSorted(newestFirst), next_cursor };
      };
      const answer = await readPage(read, page);
      answerPage(terminal, answer, { lines, none: 'No requests.' });
    });
}

/** With or without its data. */
type ListedRequest = RequestModel | ErasedRequest;

interface Listed {
  readonly items: readonly ListedRequest[];
  readonly next_cursor: string | null;
}

const newestFirst = (one: ListedRequest, other: ListedRequest) =>
  (one.request_id ?? '') < (other.request_id ?? '') ? 1 : -1;

/** Leaves out the patients: others may see the screen. */
function lines(requests: readonly ListedRequest[]): Block[] {
  return table(
    ['REQUEST_ID', 'STATE', 'WAITING', 'PAYER', 'ERROR_REASON', 'RECEIVED'],
    requests.map(({ request_id, state, received_timestamp, error_reason, ...rest }) => [
      request_id,
      state,
      state === 'pending' ? sinceText(received_timestamp) : null,
      'input' in rest ? rest.input.payer_info.name : 'erased',
      error_reason,
      received_timestamp,
    ]),
  );
}
