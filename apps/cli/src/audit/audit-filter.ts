import type { ListAudit } from '@insurance-verification/schema';
import type { Command } from 'commander';

export interface AuditFilterOptions {
  readonly key?: string;
  readonly name?: string;
  readonly account?: string;
  readonly operation?: string;
  readonly request?: string;
  readonly subject?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Which lines of the audit. */
export function addAuditFilter(command: Command): Command {
  return command
    .option('--key <key_id>', 'only what this key did')
    .option('--name <part>', 'only what people and keys did whose name has this in it')
    .option('--account <account_id>', 'only what concerns requests of this account')
    .option('--operation <operation>', 'only this operation, such as keys.create')
    .option('--request <request_id>', 'only what concerns this request, also lists that it was in')
    .option(
      '--subject <id>',
      'only what was done to this account, key, person, session or held output, or made it',
    )
    .option('--since <time>', 'only what happened then or later')
    .option('--until <time>', 'only what happened before');
}

export const auditFilterOf = (options: AuditFilterOptions): Omit<ListAudit, 'limit' | 'cursor'> => ({
  key_id: options.key,
  name: options.name,
  account_id: options.account,
  operation: options.operation,
  request_id: options.request,
  subject_id: options.subject,
  since: options.since,
  until: options.until,
});
