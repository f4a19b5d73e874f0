import type { ReportRange } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';

/** The options of a command that reports a time. */
export interface RangeOptions {
  readonly from?: string;
  readonly until?: string;
  readonly step: ReportRange['step'];
  readonly zone: string;
  readonly account?: string;
}

/** Adds what every report over a time takes. */
export function withRange(command: Command): Command {
  return withAccount(
    command
      .option('--from <time>', 'where it begins; 24 hours before the end when not given')
      .option('--until <time>', 'where it ends; now when not given')
      .addOption(
        new Option('--step <step>', 'how long each step is').choices(['hour', 'day']).default('hour'),
      )
      .option('--zone <name>', 'the time zone in which days begin', 'UTC'),
  );
}

/** Adds what every report takes. */
export function withAccount(command: Command): Command {
  return command
    .option(
      '--account <account_id>',
      'one account; all live ones when not given, or your own without `operate`',
    )
    .option('--csv', 'comma-separated values instead of a table');
}

/** The service's input. */
export const rangeOf = ({ from, until, step, zone, account }: RangeOptions) => ({
  ...(from !== undefined && { from }),
  ...(until !== undefined && { until }),
  step,
  zone,
  ...accountOf({ account }),
});

export const accountOf = ({ account }: { readonly account?: string | undefined }) =>
  account === undefined ? {} : { account_id: account };
