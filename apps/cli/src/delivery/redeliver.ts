import type { RedeliveredMatching } from '@insurance-verification/schema';
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
    .option(
      '--exhausted-since <time>',
      'every one exhausted since then, of --host; with scope operate of every account',
    )
    .option('--delivered', 'with --since: those that were delivered, not those given up')
    .option('--dry-run', 'with --since or --exhausted-since: only say how many match')
    .action(async (requestId: string | undefined, options: Options, command: Command) => {
      const { exhaustedSince, since } = options;
      if ([requestId, exhaustedSince, since].filter((one) => one !== undefined).length !== 1) {
        throw new WrongUsageError(
          `Expected either a request_id, --since or --exhausted-since.\n${rightExample(EXAMPLE)}`,
        );
      }
      if (requestId !== undefined) refuseOthers(options, 'Of one request', []);
      if (exhaustedSince !== undefined)
        refuseOthers(options, 'With --exhausted-since', ['exhaustedSince', 'host', 'dryRun']);
      const connection = await connect(command);
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
        const filter = { ...filterOf(options), status, since, limit: LIMIT } as const;
        await redeliverMany(connection, options, (how) =>
          operations.redeliverMatching({ ...filter, ...how }),
        );
      }
    });
}

/** A filter that does not count would send more again than was meant. */
function refuseOthers(options: Options, when: string, counting: readonly (keyof Options)[]): void {
  const isOther = (name: string) => !counting.some((one) => one === name);
  const other = Object.keys(options).find(isOther);
  if (other === undefined) return;
  const flag = other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new WrongUsageError(`${when} --${flag} does not count.\n${rightExample(EXAMPLE)}`);
}

async function redeliverOne({ client, terminal }: Connection, requestId: string): Promise<void> {
  const call = client.requests.redeliver({ request_id: requestId });
  const request = await nameMissing(`request ${requestId}`, 'iv requests list', call);
  terminal.answer(request, requestFields(request));
  if (!terminal.json) terminal.say(`Queued. Its attempts: iv deliveries list ${requestId}`);
}

/** Counts, then sends again what was counted and nothing else: one that fails again at once is not sent a third time. */
async function redeliverMany(
  { terminal }: Connection,
  { dryRun }: Options,
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
