import { type AuditFormat, type AuditLine, FORMULA } from '@insurance-verification/schema';
import papaparse from 'papaparse';

/**
 * Writes audit lines as one part of a file: `items` is one text a line of the file, with its line end. The first part of
 * a CSV file begins with the column names.
 */
export function auditPart(format: AuditFormat, lines: readonly AuditLine[], isFirst = false) {
  const { mediaType, heading, write } = FORMATS[format];
  const items = lines.map(write);
  return { media_type: mediaType, items: isFirst && heading !== undefined ? [heading, ...items] : items };
}

const COLUMNS = [
  'audit_id',
  'at',
  'key_id',
  'account_id',
  'operation',
  'request_id',
  'subject_id',
  'emergency',
  'reason',
  'fresh_sign_in',
  'misdated',
  'outcome',
  'name',
  'session_id',
  'address',
  'change',
  'account_name',
  'subject_name',
  'request_count',
  'request_account_id',
  'request_account_name',
  'link_by',
  'link_by_name',
  'account_mode',
] as const satisfies readonly (keyof AuditLine)[];

export const CSV_HEADING = `${COLUMNS.join(',')}\r\n`;

/**
 * A line of the audit as comma-separated values (RFC 4180). A spreadsheet would run a
 * text that begins like a formula, so such a text gets an apostrophe in front.
 */
export const toCsvLine = (line: AuditLine): string =>
  `${papaparse.unparse([COLUMNS.map((name) => line[name])], { escapeFormulae: FORMULA })}\r\n`;

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
