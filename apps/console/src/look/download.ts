import { FORMULA } from '@insurance-verification/schema';
import { unparse } from 'papaparse';

/** Saves a text as a file (download). */
export function download(name: string, mediaType: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** A cell of a CSV file. */
export type CsvCell = string | number | boolean | null;

/**
 * Comma-separated values (RFC 4180): a heading, then the rows. A text that a spreadsheet would run as a formula gets an
 * apostrophe in front.
 */
export const toCsv = (columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `${unparse([columns, ...rows], { escapeFormulae: FORMULA })}\r\n`;
