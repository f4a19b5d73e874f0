import { FORMULA } from '@insurance-verification/schema';
import { unparse } from 'papaparse';

/** A cell of a CSV file. */
export type CsvCell = string | number | boolean | null;

/**
 * Comma-separated values (RFC 4180): a heading, then the rows. A text that a spreadsheet would run as a formula gets an
 * apostrophe in front.
 */
export const toCsv = (columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `${unparse([columns, ...rows], { escapeFormulae: FORMULA })}\r\n`;
