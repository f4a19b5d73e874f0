import { FORMULA } from '@insurance-verification/schema';
import { unparse } from 'papaparse';

/** A cell of a table, as it is written into a file. */
export type CsvCell = string | number | boolean | null;

/**
 * Comma-separated values (RFC 4180): a heading, then the rows. A text that begins like a formula would be one where the
 * file is opened in a spreadsheet: an apostrophe says that it is text.
 */
export const toCsv = (columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `${unparse([columns, ...rows], { escapeFormulae: FORMULA })}\r\n`;
