import type { FoundRequest } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';

interface Options extends PageOptions {
  readonly idempotencyKey?: string;
  readonly account?: string;
}

const EXAMPLE = 'iv requests search --idempotency-key visit-1181';

/** `iv requests search` */
export function addSearchRequests(requests: Command): void {
  addPageOptions(withExample(requests.command('search'), EXAMPLE))
    .description('find requests of every account, by their id or the key they were created with')
    .argument('[request_id]', 'only the request of this id')
    .option(
      '--idempotency-key <key>',
      'only those created with this key, which is kept for 24 hours at least',
    )
    .option('--account <account_id>', 'only those of this account')
    .action(async (requestId: string | undefined, options: Options, command: Command) => {
      const { account, idempotencyKey } = options;
      if (requestId === undefined && idempotencyKey === undefined)
        throw new WrongUsageError(`Expected a request_id or --idempotency-key.\n${rightExample(EXAMPLE)}`);
      const { client, terminal } = await connect(command);
      const by = { request_id: requestId, idempotency_key: idempotencyKey, account_id: account };
      const found = await readPage((page) => client.requests.search({ ...by, ...page }), options);
      answerPage(terminal, found, { lines, none: 'No request found.' });
    });
}

/** Leaves out the patients: others may see the screen. */
function lines(found: readonly FoundRequest[]): Block[] {
  return table(
    ['REQUEST_ID', 'ACCOUNT_ID', 'STATE', 'PAYER', 'ERROR_REASON', 'RECEIVED'],
    found.map(({ account_id, request: { request_id, state, input, error_reason, received_timestamp } }) => [
      request_id,
      account_id,
      state,
      input.payer_info.name,
      error_reason,
      received_timestamp,
    ]),
  );
}
