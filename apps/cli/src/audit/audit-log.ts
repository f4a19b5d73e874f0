import { once } from 'node:events';
import type { Command } from 'commander';
import { command } from '../command/command.ts';
import { addOptions, inputOf, type OptionRows } from '../command/options.ts';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';

/** The entries of the audit that are listed or exported. */
const FILTER_OPTIONS: OptionRows<'audit.list'> = {
  key_id: ['--key <key_id>', 'only what this key did'],
  name: ['--name <part>', 'only what people and keys did whose name has this in it'],
  account_id: ['--account <account_id>', 'only what concerns requests of this account'],
  operation: ['--operation <operation>', 'only this operation, such as keys.create'],
  request_id: ['--request <request_id>', 'only what concerns this request, also lists that it was in'],
  subject_id: [
    '--subject <id>',
    'only what was done to this account, key, person, session or held output, or made it',
  ],
  since: ['--since <time>', 'only what happened then or later'],
  until: ['--until <time>', 'only what happened before'],
};

/** `iv audit list`, which `iv audit` runs too. */
export const addListAudit = command('list', 'audit.list', {
  example: 'iv audit list --operation requests.get --since 2026-11-01T00:00:00Z',
  about: 'list who did or saw what, newest first; reading it is on record too',
  isDefault: true,
  options: FILTER_OPTIONS,
  columns: [
    'at',
    'operation',
    'outcome',
    'request_id',
    ['requests', 'request_count'],
    'request_account_id',
    'subject_id',
    'key_id',
    'name',
    ['link by', 'link_by'],
    'address',
    'account_id',
  ],
  none: 'Nothing on record.',
});

const EXPORT_OPTIONS: OptionRows<'audit.export'> = {
  ...FILTER_OPTIONS,
  format: ['--format <format>', 'ndjson: a line of JSON for each; csv: for a spreadsheet'],
};

/** `iv audit export`: every part of the file, each written before the next is asked for. */
export function addExportAudit(audit: Command): void {
  const example = 'iv audit export --format csv --since 2026-11-01T00:00:00Z > audit.csv';
  addOptions(withExample(audit.command('export'), example), 'audit.export', EXPORT_OPTIONS)
    .description('print every entry that the filters leave as a file; reading it is on record too')
    .action(async (_options: object, typed: Command) => {
      const { client } = await connect(typed);
      const asked = inputOf<'audit.export'>(typed, EXPORT_OPTIONS);
      for (let cursor: string | null | undefined; cursor !== null;) {
        const part = await client.audit.export({ ...asked, cursor });
        if (!process.stdout.write(part.items.join(''))) await once(process.stdout, 'drain');
        cursor = part.next_cursor;
      }
    });
}

/** `iv audit seals` */
export const addListSeals = command('seals', 'audit.seals', {
  example: 'iv audit seals --limit 5',
  about: 'list the seals of the audit, newest first; they are not verified here',
  columns: [
    'seal',
    'sealed_at',
    ['lines', 'line_count'],
    'first_id',
    'last_id',
    ['misdated', 'misdated_count'],
    'root',
  ],
  none: 'No seals.',
});
