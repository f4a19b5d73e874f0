import { text } from 'node:stream/consumers';
import { RequestState, type RequestSummary, VerificationSource } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readFullPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { durationText } from '../terminal/duration.ts';
import { type Block, table } from '../terminal/table.ts';

interface Options extends PageOptions {
  readonly idempotencyKey?: string;
  readonly memberId?: string;
  readonly npi?: string;
  readonly account?: string;
  readonly payer?: string;
  readonly state?: RequestState;
  readonly reason?: string;
  readonly channel?: VerificationSource;
  readonly late?: true;
  readonly since?: string;
  readonly until?: string;
}

/** `iv requests search` */
export function addSearchRequests(requests: Command): void {
  addPageOptions(withExample(requests.command('search'), 'iv requests search --idempotency-key visit-1181'))
    .description('find requests by what they are about or how they stand, newest first')
    .argument('[request_id]', 'only the request of this id')
    .option(
      '--idempotency-key <key>',
      'only those created with this key, which is kept for 24 hours at least',
    )
    .option(
      '--member-id <id>',
      "only those about this member id, the whole of it; - reads it from stdin, so that the shell's history has no patient in it",
    )
    .option('--npi <npi>', 'only those of the provider with this NPI')
    .option('--account <account_id>', 'only those of this account')
    .option('--payer <payer_id>', 'only those to this payer')
    .addOption(new Option('--state <state>', 'only those in this state').choices(RequestState.options))
    .option('--reason <reason>', 'only those that failed for this reason')
    .addOption(
      new Option('--channel <channel>', 'only those that wait in this channel, or were in it last').choices(
        VerificationSource.options,
      ),
    )
    .option('--late', 'only those without a result although the time at which they are needed is past')
    .option('--since <time>', 'only those received at this time or later')
    .option('--until <time>', 'only those received before this time')
    .action(async (requestId: string | undefined, options: Options, command: Command) => {
      const { account, idempotencyKey, memberId, npi, payer, reason } = options;
      const { state, channel, late, since, until } = options;
      const { client, terminal } = await connect(command);
      const by = {
        request_id: requestId,
        idempotency_key: idempotencyKey,
        subscriber_id: memberId === '-' ? (await text(process.stdin)).trim() : memberId,
        npi,
        account_id: account,
        payer_id: payer,
        error_reason: reason,
        state,
        channel,
        late,
        since,
        until,
      };
      const found = await readFullPage((page) => client.requests.search({ ...by, ...page }), options);
      answerPage(terminal, found, { lines, none: 'No request found.' });
    });
}

function lines(found: readonly RequestSummary[]): Block[] {
  return table(
    [
      'REQUEST_ID',
      'ACCOUNT_ID',
      'STATE',
      'ANSWER',
      'PAYER',
      'CHANNEL',
      'ERROR_REASON',
      'RECEIVED',
      'NEEDED',
      'ERASED',
    ],
    found.map((request) => [
      request.request_id,
      request.account_id,
      request.state,
      request.answer,
      request.payer,
      request.channel,
      request.error_reason,
      request.received_timestamp,
      neededText(request),
      request.erased_at,
    ]),
  );
}

/** The time left, or whether it was met: `in 25 min`, `2 h late`, `in time`; null where nobody said by when. */
function neededText({ needed_by: by, overdue, state }: RequestSummary): string | null {
  if (by === null) return null;
  if (state !== 'pending') return overdue ? 'overdue' : 'in time';
  const seconds = (Date.parse(by) - Date.now()) / 1_000;
  return seconds > 0 ? `in ${durationText(seconds)}` : `${durationText(-seconds)} late`;
}
