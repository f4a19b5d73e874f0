/** A cell of a table, as it is written into a file. */
export type CsvCell = string | number | boolean | null;

/** Comma-separated values (RFC 4180): a heading, then the rows. */
export function toCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

/** A text that begins like a formula would be one where the file is opened in a spreadsheet: an apostrophe says that it is text. */
function quoted(cell: CsvCell): string {
  const text = typeof cell === 'string' ? cell.replace(/^[=+\-@\t\r]/, "'$&") : String(cell ?? '');
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
