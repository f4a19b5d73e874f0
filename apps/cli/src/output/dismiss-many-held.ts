import { HeldReason } from '@insurance-verification/schema';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';

interface Options {
  readonly reason: HeldReason;
  readonly before?: string;
  readonly request?: string;
  readonly limit: number;
  readonly note?: string;
}

/** The service's limit for one call. */
const LIMIT_MAX = 10_000;

/** `iv held dismiss-many` */
export function addDismissManyHeld(held: Command): void {
  withExample(held.command('dismiss-many'), 'iv held dismiss-many --reason untrusted --note "a flood"')
    .description('end all held outputs of a reason without applying them, the oldest first')
    .addOption(
      new Option('--reason <reason>', 'only those held for this reason')
        .choices(HeldReason.options)
        .makeOptionMandatory(),
    )
    .option('--before <time>', 'only those received before then; before now when left out')
    .option('--request <request_id>', 'only those that name this request')
    .option('--limit <count>', 'so many at most, 1 to 10,000; 10,000 when left out', parseLimit, LIMIT_MAX)
    .option('--note <text>', 'why, for the next operator')
    .action(async ({ reason, before, request, limit, note }: Options, command: Command) => {
      const { client, terminal } = await connect(command);
      const answer = await client.heldOutputs.dismissMany({
        reason,
        received_before: before,
        request_id: request,
        limit,
        note,
      });
      terminal.answer(answer, fields([['dismissed', answer.dismissed]]));
      if (answer.more && !terminal.json) terminal.say('There are more: run it again.');
    });
}

function parseLimit(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 1 to 10,000.');
  return Number(text);
}
