import type {
  Delivery,
  DeliveryAttempt,
  DeliverySummary,
  RedeliveredMatching,
} from '@insurance-verification/schema';
import type { Command } from 'commander';
import { type Column, tableOf } from '../command/command.ts';
import { addOptions, inputOf, type OptionRows } from '../command/options.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../command/page.ts';
import { rightExample, withExample } from '../example.ts';
import { nameMissing, WrongUsageError } from '../failure/failure.ts';
import { connect, type Connection } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';
import { requestFields } from './describe-request.ts';

/** The deliveries that a list shows, or that are delivered again. */
const FILTER_OPTIONS: OptionRows<'deliveries.list'> = {
  account_id: ['--account <account_id>', 'only those of this account'],
  endpoint_id: ['--endpoint <endpoint_id>', 'only events to this endpoint'],
  host: ['--host <host>', 'only those to this host, such as billing.example or billing.example:8443'],
  outcome: ['--outcome <outcome>', 'only those whose last attempt ended like this'],
  status_code: ['--status-code <code>', 'only those whose receiver answered last with this status'],
  reason: ['--reason <reason>', 'only those given up for this reason, such as webhook_exhausted'],
  attempts_min: ['--attempts-min <count>', 'only those with so many attempts or more'],
  since: ['--since <time>', 'only those accepted then or later'],
  until: ['--until <time>', 'only those accepted before'],
};

const LIST_OPTIONS: OptionRows<'deliveries.list'> = {
  ...FILTER_OPTIONS,
  status: ['--status <status>', 'only those with this status'],
};

/** `iv deliveries list`, of one request with every attempt, or of many with the last. */
function addListDeliveries(deliveries: Command): void {
  const list = withExample(deliveries.command('list'), 'iv deliveries list --status exhausted');
  addOptions(addPageOptions(list), 'deliveries.list', LIST_OPTIONS)
    .description("list deliveries, newest first, each with its last attempt; a request's, with every attempt")
    .argument('[request_id]', 'only those of this request, with every attempt')
    .action(async (requestId: string | undefined, options: PageOptions, typed: Command) => {
      const connection = await connect(typed);
      if (requestId !== undefined) return listRequestDeliveries(connection, requestId);
      const { client, terminal } = connection;
      const filter = inputOf<'deliveries.list'>(typed, LIST_OPTIONS);
      const page = await readPage((own) => client.deliveries.list({ ...filter, ...own }), options);
      answerPage(terminal, page, { lines: (items) => tableOf(COLUMNS, items), none: 'No deliveries.' });
      return undefined;
    });
}

const COLUMNS: readonly Column<DeliverySummary>[] = [
  'delivery_id',
  'status',
  ['attempts', 'attempt_count'],
  'last_outcome',
  ['http', 'last_status_code'],
  'host',
  'request_id',
  ['event', 'event_type'],
  'account_id',
  'reason',
  ['next_attempt', 'next_attempt_at'],
  ['accepted', 'accepted_at'],
];

/** One request's deliveries with every attempt. */
async function listRequestDeliveries({ client, terminal }: Connection, requestId: string): Promise<void> {
  const call = client.requests.deliveries({ request_id: requestId });
  const answer = await nameMissing('request_id', requestId, call);
  const attempts = answer.items.flatMap(attemptsOf);
  terminal.answer(answer, tableOf(ATTEMPT_COLUMNS, attempts));
  if (!terminal.json && answer.items.length === 0)
    terminal.say('No deliveries: the request has no result yet.');
}

/** Each attempt with its delivery; a delivery without any has one row. */
const attemptsOf = (delivery: Delivery): { delivery: Delivery; attempt?: DeliveryAttempt }[] =>
  delivery.attempts.length === 0
    ? [{ delivery }]
    : delivery.attempts.map((attempt) => ({ delivery, attempt }));

const ATTEMPT_COLUMNS: readonly Column<ReturnType<typeof attemptsOf>[number]>[] = [
  ['delivery_id', ({ delivery }) => delivery.delivery_id],
  ['status', ({ delivery }) => delivery.status],
  ['attempt', ({ attempt }) => attempt?.number],
  ['outcome', ({ attempt }) => attempt?.outcome],
  ['http', ({ attempt }) => attempt?.status_code],
  ['at', ({ attempt }) => attempt?.at],
  ['answer', ({ attempt }) => attempt?.response_snippet?.trim().slice(0, 60)],
  ['ms', ({ attempt }) => attempt?.duration_ms],
  ['next_attempt', ({ delivery }) => delivery.next_attempt_at],
  ['version', ({ delivery }) => delivery.version],
];

const REDELIVER_EXAMPLE =
  'iv deliveries redeliver req_…, or --since 2026-11-20T00:00:00Z --host billing.example --dry-run';

interface RedeliverOptions {
  readonly since?: string;
  readonly host?: string;
  readonly exhaustedSince?: string;
  readonly delivery?: string;
  readonly delivered?: true;
  readonly dryRun?: true;
}

/** The service's limit for one call. */
const LIMIT = 10_000;

/** `iv deliveries redeliver`, for one request, for all exhausted deliveries, or for all that match. */
function addRedeliver(deliveries: Command): void {
  const redeliver = withExample(deliveries.command('redeliver'), REDELIVER_EXAMPLE);
  addOptions(redeliver, 'deliveries.list', FILTER_OPTIONS)
    .description('deliver standing results, and events, again: the same message, a new round of attempts')
    .argument('[request_id]', 'the id the service issued')
    .option(
      '--exhausted-since <time>',
      'every one exhausted since then, of --host; with scope operate of every account',
    )
    .option('--delivery <delivery_id>', 'with --since: only this one, of a result or of an event')
    .option('--delivered', 'with --since: those that were delivered, not those given up')
    .option('--dry-run', 'with --since or --exhausted-since: only say how many match')
    .action(async (requestId: string | undefined, options: RedeliverOptions, typed: Command) => {
      const { exhaustedSince, since } = options;
      if ([requestId, exhaustedSince, since].filter((one) => one !== undefined).length !== 1) {
        throw new WrongUsageError(
          `Expected either a request_id, --since or --exhausted-since.\n${rightExample(REDELIVER_EXAMPLE)}`,
        );
      }
      if (requestId !== undefined) refuseOthers(options, 'Of one request', []);
      if (exhaustedSince !== undefined)
        refuseOthers(options, 'With --exhausted-since', ['exhaustedSince', 'host', 'dryRun']);
      const connection = await connect(typed);
      if (requestId !== undefined) await redeliverOne(connection, requestId);
      const { deliveries: operations } = connection.client;
      if (exhaustedSince !== undefined) {
        const filter = { since: exhaustedSince, host: options.host, limit: LIMIT };
        await redeliverMany(connection, options, (how) =>
          operations.redeliverExhausted({ ...filter, ...how }),
        );
      }
      if (since !== undefined) {
        const status = options.delivered ? 'delivered' : 'exhausted';
        const filter = {
          ...inputOf<'deliveries.list'>(typed, FILTER_OPTIONS),
          ...(options.delivery !== undefined && { delivery_id: options.delivery }),
          status,
          since,
          limit: LIMIT,
        } as const;
        await redeliverMany(connection, options, (how) =>
          operations.redeliverMatching({ ...filter, ...how }),
        );
      }
    });
}

/** A filter that does not count would send more again than was meant. */
function refuseOthers(
  options: RedeliverOptions,
  when: string,
  counting: readonly (keyof RedeliverOptions)[],
): void {
  const isOther = (name: string) => !counting.some((one) => one === name);
  const other = Object.keys(options).find(isOther);
  if (other === undefined) return;
  const flag = other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new WrongUsageError(`${when} --${flag} does not count.\n${rightExample(REDELIVER_EXAMPLE)}`);
}

async function redeliverOne({ client, terminal }: Connection, requestId: string): Promise<void> {
  const call = client.requests.redeliver({ request_id: requestId });
  const request = await nameMissing('request_id', requestId, call);
  terminal.answer(request, requestFields(request));
  if (!terminal.json) terminal.say(`Queued. Its attempts: iv deliveries list ${requestId}`);
}

/** Counts, then sends again what was counted and nothing else: one that fails again at once is not sent a third time. */
async function redeliverMany(
  { terminal }: Connection,
  { dryRun }: RedeliverOptions,
  call: (how: { readonly dry_run: true } | { readonly token: string }) => Promise<RedeliveredMatching>,
): Promise<void> {
  const counted = await call({ dry_run: true });
  const { token } = counted;
  const answer = dryRun || token === null ? counted : await call({ token });
  terminal.answer(
    { ...answer, more: counted.more },
    fields([
      ['matching', answer.matching],
      ['redelivered', answer.redelivered],
    ]),
  );
  if (counted.more && !terminal.json) terminal.say('There are more: run it again.');
}

/** `iv deliveries …` */
export const deliveryCommands = [addListDeliveries, addRedeliver];
