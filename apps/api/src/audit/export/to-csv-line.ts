import { type AuditLine, FORMULA } from '@insurance-verification/schema';
import papaparse from 'papaparse';

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
] as const satisfies readonly (keyof AuditLine)[];

/** The names of the columns. */
export const CSV_HEADING = `${COLUMNS.join(',')}\r\n`;

/**
 * A line of the audit as comma-separated values (RFC 4180). A text that begins like a formula would be one where the file
 * is opened in a spreadsheet: an apostrophe says that it is text.
 */
export const toCsvLine = (line: AuditLine): string =>
  `${papaparse.unparse([COLUMNS.map((name) => line[name])], { escapeFormulae: FORMULA })}\r\n`;
