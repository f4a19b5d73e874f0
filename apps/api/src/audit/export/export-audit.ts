import { AuditExport, type AuditFormat, type AuditLine, ExportAudit } from '@insurance-verification/schema';
import { exportAudit as exportStoredAudit } from '@insurance-verification/store';
import { exampleLine } from '../../examples/audit.ts';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { query } from '../../procedure/trpc.ts';
import { searchOf } from '../search-of.ts';
import { CSV_HEADING, toCsvLine } from './to-csv-line.ts';

interface Format {
  readonly mediaType: string;
  /** Before the first line of the file. */
  readonly heading?: string;
  /** With its line end. */
  readonly write: (line: AuditLine) => string;
}

const FORMATS: Record<AuditFormat, Format> = {
  ndjson: { mediaType: 'application/x-ndjson', write: (line) => `${JSON.stringify(line)}\n` },
  csv: { mediaType: 'text/csv', heading: CSV_HEADING, write: toCsvLine },
};

/**
 * The audit as a file, part by part. Parts rather than one stream: each is an answer of one kind over each transport,
 * with its limit, its line of the audit and a cursor to go on from after a cut; nobody holds a connection of the
 * database for as long as a slow reader takes.
 */
export const exportAudit = () =>
  query({
    meta: {
      operation: 'audit.export',
      openapi: {
        summary: 'Export the audit as a file, part by part',
        description:
          'The lines that `audit.list` would list, as the lines of a file: NDJSON or CSV. The file is the `items` of all parts, one after the other; go on while there is a `next_cursor`. `iv audit export` writes it.',
        tags: ['Access'],
      },
      limit: 'reads',
      example: {
        format: 'csv',
        limit: 1000,
        cursor: '48213',
        key_id: EXAMPLE_IDS.key,
        name: 'billing',
        account_id: EXAMPLE_IDS.account,
        operation: 'requests.get',
        request_id: EXAMPLE_IDS.request,
        subject_id: EXAMPLE_IDS.held,
        since: '2026-11-01T00:00:00Z',
        until: '2026-12-01T00:00:00Z',
      },
      answers: {
        ndjson: { ...partOf('ndjson', [exampleLine]), next_cursor: '48213' },
        csv: { ...partOf('csv', [exampleLine], true), next_cursor: null },
      },
    },
    input: ExportAudit,
    output: AuditExport,
    handler: async ({ ctx, input: { format, ...input } }) => {
      const page = await exportStoredAudit(ctx.app.store, searchOf(ctx.caller, input));
      return { ...partOf(format, page.items, input.cursor === undefined), next_cursor: page.next_cursor };
    },
  });

function partOf(format: AuditFormat, lines: readonly AuditLine[], isFirst = false) {
  const { mediaType, heading, write } = FORMATS[format];
  const items = lines.map(write);
  return { media_type: mediaType, items: isFirst && heading !== undefined ? [heading, ...items] : items };
}
