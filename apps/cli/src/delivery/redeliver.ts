import type { Command } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { requestFields } from '../intake/request-fields.ts';
import { connect, type Connection } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';

const EXAMPLE = 'iv deliveries redeliver req_…, or --exhausted-since 2026-11-20T00:00:00Z';

/** The service's limit for one call. */
const LIMIT = 10_000;

/** `iv deliveries redeliver`, for one request or for all exhausted deliveries. */
export function addRedeliver(deliveries: Command): void {
  withExample(deliveries.command('redeliver'), EXAMPLE)
    .description('deliver standing results again: the same message, a new round of attempts')
    .argument('[request_id]', 'the id the service issued')
    .option('--exhausted-since <time>', 'every one exhausted since then; with scope operate of every account')
    .action(async (requestId: string | undefined, options: { exhaustedSince?: string }, command: Command) => {
      const { exhaustedSince } = options;
      if ((requestId === undefined) === (exhaustedSince === undefined)) {
        throw new WrongUsageError(
          `Expected either a request_id or --exhausted-since.\n${rightExample(EXAMPLE)}`,
        );
      }
      const connection = await connect(command);
      if (requestId !== undefined) await redeliverOne(connection, requestId);
      if (exhaustedSince !== undefined) await redeliverExhausted(connection, exhaustedSince);
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
