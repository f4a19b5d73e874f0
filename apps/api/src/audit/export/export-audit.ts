import type { AuditFormat, AuditLine } from '@insurance-verification/schema';
import { exportAudit as exportStoredAudit } from '@insurance-verification/store';
import type { Handler } from '../../procedure/procedure.ts';
import { searchOf } from '../search-of.ts';
import { CSV_HEADING, toCsvLine } from './to-csv-line.ts';

/**
 * The audit as a file, part by part. Parts rather than one stream: each is an answer of one kind over each transport,
 * with its limit, its line of the audit and a cursor to go on from after a cut; nobody holds a connection of the
 * database for as long as a slow reader takes.
 */
export const exportAudit: Handler<'audit.export'> = async ({ ctx, input: { format, ...input } }) => {
  const page = await exportStoredAudit(ctx.app.store, searchOf(ctx.caller, input));
  return { ...partOf(format, page.items, input.cursor === undefined), next_cursor: page.next_cursor };
};

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

function partOf(format: AuditFormat, lines: readonly AuditLine[], isFirst = false) {
  const { mediaType, heading, write } = FORMATS[format];
  const items = lines.map(write);
  return { media_type: mediaType, items: isFirst && heading !== undefined ? [heading, ...items] : items };
}
