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
] as const;
/** One of {@link BATCH_COLUMNS}. */
export type BatchColumn = (typeof BATCH_COLUMNS)[number];

/**
 * How a batch's CSV file is read, as options of csv-parse: RFC 4180, with or without a byte order mark. The ends of lines
 * are listed, since a file may mix them: taken from the first line, another one would be part of the last cell.
 */
export const BATCH_CSV_OPTIONS = {
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
};

/**
 * Reads a header row. A fault names a column by its place, never by its text: without a header row that is a patient's
 * data.
 */
export function batchColumnsOf(
  header: readonly string[],
):
  | { readonly columns: readonly BatchColumn[]; readonly fault: null }
  | { readonly columns: null; readonly fault: ValidationError } {
  const columns: BatchColumn[] = [];
  for (const [index, text] of header.entries()) {
    const column = BATCH_COLUMNS.find((name) => name === text.trim());
    if (column === undefined)
      return refused(header.length === 1 ? onlyColumn(text) : unknownColumn(index + 1));
    if (columns.includes(column))
      return refused({
        loc: ['body', 'header', index + 1],
        msg: `Column ${index + 1} of the header row is there twice`,
        type: 'csv_column_twice',
      });
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

/** A file without commas: Excel writes semicolons where the comma is the decimal sign. */
function onlyColumn(text: string): ValidationError {
  const used = [';', '\t', '|'].find((delimiter) =>
    text.split(delimiter).some((part) => BATCH_COLUMNS.some((name) => name === part.trim())),
  );
  if (used === undefined || !text.includes(used)) return unknownColumn(1);
  const name = { ';': 'semicolons', '\t': 'tabs', '|': 'bars' }[used];
  return {
    loc: ['body', 'header', 1],
    msg: `Columns should be separated by commas; this file separates them by ${name}`,
    type: 'csv_delimiter',
  };
}

/** A row of cells as the members that they name; null where it has more or fewer cells than the header row. */
export function rowOfCells(
  columns: readonly BatchColumn[],
  cells: readonly string[],
): Readonly<Record<string, unknown>> | null {
  if (cells.length !== columns.length) return null;
  const row: Record<string, unknown> = { patient_info: {}, payer_info: {}, provider_info: {} };
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (cell === '') continue;
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
