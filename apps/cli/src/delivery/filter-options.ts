import { AttemptOutcome, type RedeliverMatching } from '@insurance-verification/schema';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** What deliveries are selected by. */
export interface FilterOptions {
  readonly account?: string;
  readonly host?: string;
  readonly outcome?: AttemptOutcome;
  readonly statusCode?: number;
  readonly reason?: string;
  readonly attemptsMin?: number;
  readonly since?: string;
  readonly until?: string;
}

export function addFilterOptions(command: Command): Command {
  return command
    .option('--account <account_id>', 'only those of this account')
    .option('--host <host>', 'only those to this host, such as billing.example or billing.example:8443')
    .addOption(
      new Option('--outcome <outcome>', 'only those whose last attempt ended like this').choices(
        AttemptOutcome.options,
      ),
    )
    .option('--status-code <code>', 'only those whose receiver answered last with this status', parseWhole)
    .option('--reason <reason>', 'only those given up for this reason, such as webhook_exhausted')
    .option('--attempts-min <count>', 'only those with so many attempts or more', parseWhole)
    .option('--since <time>', 'only those whose result was accepted then or later')
    .option('--until <time>', 'only those whose result was accepted before');
}

/** The options as an operation takes them. */
export const filterOf = (options: FilterOptions) =>
  ({
    account_id: options.account,
    host: options.host,
    outcome: options.outcome,
    status_code: options.statusCode,
    reason: options.reason,
    attempts_min: options.attemptsMin,
    until: options.until,
  }) satisfies Partial<RedeliverMatching>;

function parseWhole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}
