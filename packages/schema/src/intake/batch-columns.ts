import type { ValidationError } from '../fault/validation-errors.ts';

/** The columns of a batch's CSV file, in any order: the members of a row, by their paths. An empty cell is an absent member. */
export const BATCH_COLUMNS = [
  'reference',
  'patient_info.subscriber_id',
  'patient_info.dob',
  'patient_info.name',
  'patient_info.address',
  'payer_info.name',
  'payer_info.phone_number',
  'provider_info.npi',
  'provider_info.name',
  'provider_info.tin',
  'provider_info.organization_name',
  'cpt_code_coverage',
  'callback_url',
  'service_date',
  'needed_by',
  'gender',
] as const;
/** One of {@link BATCH_COLUMNS}. */
export type BatchColumn = (typeof BATCH_COLUMNS)[number];

/** Columns in front of rejected rows, which `iv` and the console add: the file is taken with them. */
const IGNORED_COLUMNS: readonly string[] = ['row', 'error'];

/**
 * Reads a header row. A fault names a column by its place, never by its text: without a header row that is a patient's
 * data.
 * @returns the columns, null for one that is ignored.
 */
export function batchColumnsOf(
  header: readonly string[],
):
  | { readonly columns: readonly (BatchColumn | null)[]; readonly fault: null }
  | { readonly columns: null; readonly fault: ValidationError } {
  const delimiter = otherDelimiterOf(header);
  if (delimiter !== null) return refused(delimiter);
  const seen = new Set<string>();
  const columns: (BatchColumn | null)[] = [];
  for (const [index, text] of header.entries()) {
    const name = text.trim();
    const column = BATCH_COLUMNS.find((one) => one === name) ?? null;
    if (column === null && !IGNORED_COLUMNS.includes(name)) return refused(unknownColumn(index + 1));
    if (seen.has(name))
      return refused({
        loc: ['body', 'header', index + 1],
        msg: `Column ${index + 1} of the header row is there twice`,
        type: 'csv_column_twice',
      });
    seen.add(name);
    columns.push(column);
  }
  return { columns, fault: null };
}

const refused = (fault: ValidationError) => ({ columns: null, fault });

function unknownColumn(place: number): ValidationError {
  return {
    loc: ['body', 'header', place],
    msg: `Column ${place} of the header row should be one of ${BATCH_COLUMNS.join(', ')}`,
    type: 'csv_column',
  };
}

const DELIMITERS: Readonly<Record<string, string>> = { ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

/** What to do about semicolons: Excel writes them where the comma is the decimal sign, as in Germany. */
const EXCEL_ADVICE =
  'Excel takes the list separator of the system: set it to a comma in the region settings, and save the file again as CSV UTF-8';

/** The fault of a file without commas, or with a line for Excel in front; null for any other. */
function otherDelimiterOf(header: readonly string[]): ValidationError | null {
  const [first = ''] = header;
  const line = /^\s*sep=(.?)\s*$/i.exec(first)?.[1];
  if (line !== undefined) return otherDelimiter(DELIMITERS[line], 'Remove the first line, sep=');
  if (header.length > 1) return null;
  const used = Object.keys(DELIMITERS).find(
    (delimiter) =>
      first.includes(delimiter) &&
      first.split(delimiter).some((part) => BATCH_COLUMNS.some((name) => name === part.trim())),
  );
  return used === undefined ? null : otherDelimiter(DELIMITERS[used]);
}

/** The fault of a header row without commas whose cells are in quotes: their quotes hide what separates them. */
export const quotedDelimiterFault = (headerText: string): ValidationError | null =>
  headerText.includes(',') ? null : otherDelimiterOf([headerText.replaceAll('"', '')]);

function otherDelimiter(used: string | undefined, advice?: string): ValidationError {
  const sentences = [
    used === undefined
      ? 'The first line should be the header row'
      : `Columns should be separated by commas; this file separates them by ${used}`,
    ...(advice === undefined ? [] : [advice]),
    ...(used === DELIMITERS[';'] ? [EXCEL_ADVICE] : []),
  ];
  return { loc: ['body', 'header', 1], msg: sentences.join('. '), type: 'csv_delimiter' };
}

/** A row of cells as the members that they name; null where it has more or fewer cells than the header row. */
export function rowOfCells(
  columns: readonly (BatchColumn | null)[],
  cells: readonly string[],
): Readonly<Record<string, unknown>> | null {
  if (cells.length !== columns.length) return null;
  const row: Record<string, unknown> = { patient_info: {}, payer_info: {}, provider_info: {} };
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (column === null || cell === '') continue;
    const [outer, inner] = column.split('.');
    if (outer !== undefined && inner !== undefined) row[outer] = { ...(row[outer] as object), [inner]: cell };
    else row[column] = column === 'cpt_code_coverage' ? cell.trim().split(/\s+/) : cell;
  }
  return row;
}

/** The fault of a row for which {@link rowOfCells} is null. */
export const CELL_COUNT_FAULT: ValidationError = {
  loc: ['body'],
  msg: 'The row should have as many cells as the header row',
  type: 'csv_cell_count',
};

/** The fault of a row whose reference an earlier row of the file has. */
export const REFERENCE_TWICE_FAULT: ValidationError = {
  loc: ['body', 'reference'],
  msg: 'The reference should be unique in the batch',
  type: 'reference_twice',
};

/** What a spreadsheet did to a cell: it dropped a leading zero, or made a date or a long number of it. */
export type SpreadsheetDoubt = 'lost_zero' | 'date_as_number' | 'scientific_number';

/** Numbers of a fixed number of digits. */
const DIGITS: Partial<Record<BatchColumn, number>> = { 'provider_info.npi': 10, 'provider_info.tin': 9 };

const DATES: readonly BatchColumn[] = ['patient_info.dob', 'service_date', 'needed_by'];

/**
 * What a spreadsheet seems to have done to a cell; null for nothing. Such a cell is pointed out and never mended: what
 * was there before, only its sender knows.
 */
export function spreadsheetDoubt(column: BatchColumn, cell: string): SpreadsheetDoubt | null {
  const text = cell.trim();
  if (/^\d(?:[.,]\d+)?E\+\d+$/i.test(text)) return 'scientific_number';
  if (DATES.includes(column)) return /^\d{4,5}(?:[.,]\d+)?$/.test(text) ? 'date_as_number' : null;
  const digits = DIGITS[column];
  return digits !== undefined && /^\d+$/.test(text) && text.length === digits - 1 ? 'lost_zero' : null;
}

/** A row to begin with: an invented patient of the sandbox, by column. */
export const batchExampleRow = (payer: string): Readonly<Partial<Record<BatchColumn, string>>> => ({
  reference: 'visit-1001',
  'patient_info.subscriber_id': 'TEST-ACTIVE',
  'patient_info.dob': '1984-05-17',
  'patient_info.name': 'Jane Doe',
  'payer_info.name': payer,
  'provider_info.npi': '1234567893',
  'provider_info.name': 'Main Street Dental',
  cpt_code_coverage: 'D0120 D1110',
  callback_url: 'https://clinic.example/verified',
});
