import type { ErasedRequest, RequestModel, RequestSummary } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { command, tableOf } from '../command/command.ts';
import { addOptions, inputOf, type OptionRows } from '../command/options.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../command/page.ts';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { type Block, durationText } from '../terminal/table.ts';
import { addCreateRequest } from './create-request.ts';
import { coverageLines, exchangeLines, proofLines, requestFields } from './describe-request.ts';
import { erasureFields } from './erasures-and-holds.ts';
import { addGetRequest } from './get-request.ts';

const LIST_OPTIONS: OptionRows<'requests.list'> = { state: ['--state <state>', 'only those in this state'] };

/** `iv requests list`: what the service lists apart, requests with their data and erased ones, in one table. */
function addListRequests(requests: Command): void {
  const list = withExample(requests.command('list'), 'iv requests list --state pending --limit 50');
  addOptions(addPageOptions(list), 'requests.list', LIST_OPTIONS)
    .description('list requests, newest first')
    .action(async (options: PageOptions, typed: Command) => {
      const { client, terminal } = await connect(typed);
      const filter = inputOf<'requests.list'>(typed, LIST_OPTIONS);
      const read = async (page: object) => {
        const { items, erased, next_cursor } = await client.requests.list({ ...filter, ...page });
        return { items: [...items, ...erased].toSorted(newestFirst), next_cursor };
      };
      answerPage(terminal, await readPage(read, options), { lines, none: 'No requests.' });
    });
}

/** With or without its data. */
type ListedRequest = RequestModel | ErasedRequest;

const newestFirst = (one: ListedRequest, other: ListedRequest) =>
  (one.request_id ?? '') < (other.request_id ?? '') ? 1 : -1;

/** Leaves out the patients: others may see the screen. */
const lines = (requests: readonly ListedRequest[]): Block[] =>
  tableOf(
    [
      'request_id',
      'state',
      [
        'waiting',
        (one) => (one.state === 'pending' ? durationText(secondsSince(one.received_timestamp)) : null),
      ],
      ['payer', (one) => ('input' in one ? one.input.payer_info.name : 'erased')],
      'error_reason',
      ['received', 'received_timestamp'],
    ],
    requests,
  );

const secondsSince = (instant: string) => (Date.now() - Date.parse(instant)) / 1_000;

/** The time left, or whether it was met: `in 25 min`, `2 h late`, `in time`; null without a time to meet. */
function neededText({ needed_by: by, overdue, state }: RequestSummary): string | null {
  if (by === null) return null;
  if (state !== 'pending') return overdue ? 'overdue' : 'in time';
  const late = secondsSince(by);
  return late < 0 ? `in ${durationText(-late)}` : `${durationText(late)} late`;
}

/** A note may be a page long; `--json` shows all of it. */
const NOTE_CHARACTERS_MAX = 60;

const withGaps = (parts: readonly (readonly Block[])[]): Block[] =>
  parts.flatMap((part, index) => (index === 0 ? part : ['', ...part]));

/** `iv requests …` */
export const requestCommands = [
  addListRequests,
  command('search', 'requests.search', {
    example: 'iv requests search --idempotency-key visit-1181',
    about: 'find requests by their content or their state, newest first',
    options: {
      request_id: ['[request_id]', 'only the request of this id'],
      idempotency_key: [
        '--idempotency-key <key>',
        'only those created with this key, which is kept for 24 hours at least',
      ],
      subscriber_id: [
        '--member-id <id>',
        "only those about this member id, the whole of it; - reads it from stdin, so that the shell's history has no patient in it",
      ],
      npi: ['--npi <npi>', 'only those of the provider with this NPI'],
      account_id: ['--account <account_id>', 'only those of this account'],
      payer_id: ['--payer <payer_id>', 'only those to this payer'],
      state: ['--state <state>', 'only those in this state'],
      error_reason: ['--reason <reason>', 'only those that failed for this reason'],
      channel: ['--channel <channel>', 'only those that wait in this channel, or were in it last'],
      late: ['--late', 'only those without a result although the time at which they are needed is past'],
      since: ['--since <time>', 'only those received at this time or later'],
      until: ['--until <time>', 'only those received before this time'],
    },
    stdin: 'subscriber_id',
    columns: [
      'request_id',
      'account_id',
      'state',
      'answer',
      'payer',
      'channel',
      'error_reason',
      ['received', 'received_timestamp'],
      ['needed', neededText],
      ['erased', 'erased_at'],
    ],
    none: 'No request found.',
  }),
  addGetRequest,
  addCreateRequest,
  command('close', 'requests.close', {
    example: 'iv requests close req_… --reason withdrawn',
    about: 'end a request without a result, as error_verifying; its receiver is notified',
    of: 'request_id',
    options: { reason: ['--reason <reason>', 'why'] },
    blocks: requestFields,
  }),
  command('attempts', 'requests.attempts', {
    example: 'iv requests attempts req_…',
    about: 'list every attempt to verify with the payer, and who must act on what failed',
    of: 'request_id',
    columns: [
      ['attempt', 'number'],
      'channel',
      'outcome',
      'error_reason',
      'fixed_by',
      ['started', 'started_at'],
      ['ended', 'ended_at'],
      'reference',
      ['note', ({ note }) => note?.trim().slice(0, NOTE_CHARACTERS_MAX)],
    ],
    none: 'No attempts: no verifier has taken the request yet.',
  }),
  command('benefits', 'requests.benefits', {
    example: 'iv requests benefits req_…',
    about: 'show everything that the payer said: co-payments, deductibles, limits, other payers',
    of: 'request_id',
    options: { version: ['--result-version <number>', 'a version of the result, instead of the latest'] },
    blocks: ({ coverages }) => withGaps(coverages.map(coverageLines)),
    say: ({ coverages, left_out: count }) =>
      [
        ...(coverages.every(({ benefits }) => benefits.length === 0)
          ? ['No benefits: the result came without.']
          : []),
        ...(count > 0 ? [`${count} further rows are in iv requests exchanges.`] : []),
      ].join('\n'),
  }),
  command('exchanges', 'requests.exchanges', {
    example: 'iv requests exchanges req_…',
    about: 'show what payers were asked for a request over X12, and what they answered',
    of: 'request_id',
    blocks: ({ items }) => withGaps(items.map(exchangeLines)),
    say: ({ items }) =>
      items.length === 0 ? 'No exchanges: no payer was asked over X12 for this request.' : '',
  }),
  command('proof', 'requests.proof', {
    example: 'iv requests proof req_…',
    about: 'show what proves a verification: who was asked when, what was answered, digest and seal',
    of: 'request_id',
    blocks: proofLines,
    say: ({ result }) =>
      result === null ? 'Without the patient: this key looks after requests of others.' : '',
  }),
  command('erase', 'requests.erase', {
    example: 'iv requests erase req_… --reason wrong_patient',
    about: 'ask for the erasure of its data; a person confirms it in the console, within 7 days',
    of: 'request_id',
    options: { reason: ['--reason <reason>', 'why'] },
    blocks: erasureFields,
  }),
];
