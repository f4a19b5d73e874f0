import { once } from 'node:events';
import { AuditFormat } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { addAuditFilter, type AuditFilterOptions, auditFilterOf } from './audit-filter.ts';

interface Options extends AuditFilterOptions {
  readonly format: AuditFormat;
}

const EXAMPLE = 'iv audit export --format csv --since 2026-11-01T00:00:00Z > audit.csv';

/** `iv audit export`: every part of the file, each written before the next is asked for. */
export function addExportAudit(audit: Command): void {
  addAuditFilter(withExample(audit.command('export'), EXAMPLE))
    .description('print every line that the filters leave as a file; reading it is on record too')
    .addOption(
      new Option('--format <format>', 'ndjson: a line of JSON for each; csv: for a spreadsheet')
        .choices(AuditFormat.options)
        .default('ndjson'),
    )
    .action(async (options: Options, command: Command) => {
      const { client } = await connect(command);
      const asked = { ...auditFilterOf(options), format: options.format };
      for (let cursor: string | null | undefined; cursor !== null;) {
        const part = await client.audit.export({ ...asked, cursor });
        if (!process.stdout.write(part.items.join(''))) await once(process.stdout, 'drain');
        cursor = part.next_cursor;
      }
    });
}
