import type { Command } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { requestFields } from '../intake/request-fields.ts';
import { connect, type Connection } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';
import { addFilterOptions, type FilterOptions, filterOf } from './filter-options.ts';

const EXAMPLE =
  'iv deliveries redeliver req_…, or --since 2026-11-20T00:00:00Z --host billing.example --dry-run';

interface Options extends FilterOptions {
  readonly exhaustedSince?: string;
  readonly delivered?: true;
  readonly dryRun?: true;
}

/** The service's limit for one call. */
const LIMIT = 10_000;

/** `iv deliveries redeliver`, for one request, for all exhausted deliveries, or for all that match. */
export function addRedeliver(deliveries: Command): void {
  addFilterOptions(withExample(deliveries.command('redeliver'), EXAMPLE))
    .description('deliver standing results again: the same message, a new round of attempts')
    .argument('[request_id]', 'the id the service issued')
    .option('--exhausted-since <time>', 'every one exhausted since then; with scope operate of every account')
    .option('--delivered', 'with --since: those that were delivered, not those given up')
    .option('--dry-run', 'with --since: only say how many match')
    .action(async (requestId: string | undefined, options: Options, command: Command) => {
      const { exhaustedSince, since } = options;
      if ([requestId, exhaustedSince, since].filter((one) => one !== undefined).length !== 1) {
        throw new WrongUsageError(
          `Expected either a request_id, --since or --exhausted-since.\n${rightExample(EXAMPLE)}`,
        );
      }
      const connection = await connect(command);
      if (requestId !== undefined) await redeliverOne(connection, requestId);
      if (exhaustedSince !== undefined) await redeliverExhausted(connection, exhaustedSince);
      if (since !== undefined) await redeliverMatching(connection, { ...options, since });
    });
}

async function redeliverOne({ client, terminal }: Connection, requestId: string): Promise<void> {
  const call = client.requests.redeliver({ request_id: requestId });
  const request = await nameMissing(`request ${requestId}`, 'iv requests list', call);
  terminal.answer(request, requestFields(request));
  if (!terminal.json) terminal.say(`Queued. Its attempts: iv deliveries list ${requestId}`);
}

/** Makes one call: deliveries that fail again at once match `since` again, so a loop might never end. */
async function redeliverExhausted({ client, terminal }: Connection, since: string): Promise<void> {
  const answer = await client.deliveries.redeliverExhausted({ since, limit: LIMIT });
  terminal.answer(answer, fields([['redelivered', answer.redelivered]]));
  if (answer.more && !terminal.json) terminal.say('There are more: run it again.');
}

/** Counts, then sends again what was counted and nothing else. */
async function redeliverMatching(
  { client, terminal }: Connection,
  { since, delivered, dryRun, ...options }: Options & { readonly since: string },
): Promise<void> {
  const status = delivered ? 'delivered' : 'exhausted';
  const filter = { ...filterOf(options), status, since, limit: LIMIT } as const;
  const counted = await client.deliveries.redeliverMatching({ ...filter, dry_run: true });
  const { token } = counted;
  const answer =
    dryRun || token === null ? counted : await client.deliveries.redeliverMatching({ ...filter, token });
  terminal.answer(
    { ...answer, more: counted.more },
    fields([
      ['matching', answer.matching],
      ['redelivered', answer.redelivered],
    ]),
  );
  if (counted.more && !terminal.json) terminal.say('There are more: run it again.');
}
