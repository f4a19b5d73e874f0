import type { ValidationError } from '../fault/validation-errors.ts';
import {
  BATCH_COLUMNS,
  type BatchColumn,
  batchColumnsOf,
  CELL_COUNT_FAULT,
  quotedDelimiterFault,
} from './batch-columns.ts';

/** A row of a batch's CSV file. */
export interface BatchCsvRow {
  /** Its cells; those before the fault of a row that has one. */
  readonly cells: readonly string[];
  /** As it is in the file, without its line end. */
  readonly text: string;
  /** Why it is rejected; null where its cells could be read. */
  readonly fault: ValidationError | null;
}

/** Characters of one row. */
const ROW_LENGTH_MAX = 1_048_576;

/** Columns that a file may have: those of a row, and the two in front of rejected rows. */
const COLUMN_COUNT_MAX = BATCH_COLUMNS.length + 2;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MARK = '\uFEFF';

/** Where in a row the reader is. */
type Place =
  /** Before the first character of a cell. */
  | 'cell'
  /** In a cell without quotes. */
  | 'plain'
  | 'quoted'
  /** After a quote in a quoted cell: it ends the cell, or is the first of two. */
  | 'quote'
  /** After the fault of a row, whose rest is not kept. */
  | 'rest'
  /** As `rest`, in a quoted cell of a row with too many cells. */
  | 'quoted rest';

/**
 * Reads a batch's CSV file as it comes: RFC 4180, with or without a byte order mark, lines that end with CR, LF or both.
 * Rows without a character in any cell do not count. A row with a quote inside a cell that has none around it, or with
 * more than twice the cells of the header row, is rejected without being kept. No general parser bounds the cells while
 * it reads: a row of a million took one 300 MB, and a file of such rows 27 seconds.
 */
export class BatchCsvReader {
  /** What the header row names, once it was read: null for a column that is ignored. */
  columns: readonly (BatchColumn | null)[] | null;
  /** The header row; empty before it was read. */
  header: readonly string[] = [];
  /** The header row as it is in the file, without its line end. */
  headerText = '';
  /** Why the file cannot be read on; null where it can. */
  fault: ValidationError | null = null;
  /** Rows that were read. */
  rowCount = 0;
  #place: Place = 'cell';
  #cells: string[] = [];
  /** The cell under way, as far as earlier parts of the text have it. */
  #cell = '';
  /** The row under way, as far as earlier parts of the text have it. */
  #row = '';
  #rowFault: ValidationError | null = null;
  #afterCr = false;
  #hasBegun = false;

  /** @param columns of a text without a header row. */
  constructor(columns: readonly (BatchColumn | null)[] | null = null) {
    this.columns = columns;
  }

  /**
   * Reads the next part of the file's text.
   * @returns the rows that end in it. None once there is a {@link fault}.
   */
  push(part: string): BatchCsvRow[] {
    const text = this.#hasBegun || !part.startsWith(MARK) ? part : part.slice(1);
    this.#hasBegun ||= part !== '';
    const rows: BatchCsvRow[] = [];
    let rowStart = 0;
    let start = 0; // of the cell, or of the part of it after a doubled quote
    const endCell = (at: number) => {
      this.#cells.push(this.#cell + text.slice(start, at));
      this.#cell = '';
      start = at + 1;
      this.#place = 'cell';
    };
    for (let at = 0; at < text.length && this.fault === null; at += 1) {
      if (this.#place === 'quoted' || this.#place === 'quoted rest') {
        const end = text.indexOf('"', at);
        if (end < 0) break;
        at = end;
        if (this.#place === 'quoted rest') this.#place = 'rest';
        else {
          this.#cell += text.slice(start, at);
          this.#place = 'quote';
        }
        start = at + 1;
        continue;
      }
      const code = text.charCodeAt(at);
      if (this.#afterCr) {
        this.#afterCr = false;
        if (code === LF) {
          rowStart = start = at + 1;
          continue;
        }
      }
      if (code === LF || code === CR) {
        // An empty line is not worth a list of cells: a file can have 64 million.
        if (at > rowStart || this.#row !== '') {
          if (this.#place !== 'rest') endCell(at);
          this.#endRow(this.#row + text.slice(rowStart, at), rows);
        }
        this.#afterCr = code === CR;
        rowStart = start = at + 1;
      } else if (this.#place === 'rest') {
        if (code === QUOTE && this.#rowFault === CELL_COUNT_FAULT) this.#place = 'quoted rest';
      } else if (code === COMMA) {
        endCell(at);
        if (this.#cells.length >= this.#cellCountMax) this.#reject(CELL_COUNT_FAULT);
      } else if (code === QUOTE) {
        if (this.#place === 'quote') this.#cell += '"';
        if (this.#place === 'plain') this.#reject(STRAY_QUOTE_FAULT);
        else this.#place = 'quoted';
        start = at + 1;
      } else if (this.#place === 'quote') this.#reject(STRAY_QUOTE_FAULT);
      else this.#place = 'plain';
    }
    const isKept = this.#place !== 'rest' && this.#place !== 'quoted rest' && this.#place !== 'quote';
    if (isKept) this.#cell += text.slice(start);
    this.#row += text.slice(rowStart);
    if (this.#row.length > ROW_LENGTH_MAX) this.fault ??= this.#broken(TOO_LONG);
    return rows;
  }

  /** Reads the end of the file. @returns its last row, where no line end follows it. */
  end(): BatchCsvRow[] {
    const rows: BatchCsvRow[] = [];
    if (this.fault !== null) return rows;
    if (this.#place === 'quoted' || this.#place === 'quoted rest') this.fault = this.#broken(OPEN_QUOTE);
    else {
      if (this.#place !== 'rest') this.#cells.push(this.#cell);
      this.#endRow(this.#row, rows);
    }
    return rows;
  }

  get #cellCountMax(): number {
    return 2 * (this.columns?.length ?? COLUMN_COUNT_MAX);
  }

  #reject(fault: ValidationError): void {
    this.#rowFault = fault;
    this.#cell = '';
    this.#place = 'rest';
  }

  #endRow(text: string, rows: BatchCsvRow[]): void {
    const cells = this.#cells;
    const fault = this.#rowFault;
    this.#cells = [];
    this.#cell = '';
    this.#row = '';
    this.#rowFault = null;
    this.#place = 'cell';
    if (text.length > ROW_LENGTH_MAX) this.fault = this.#broken(TOO_LONG);
    else if (fault === null && cells.every(isBlank)) return;
    else if (this.columns === null) this.#readHeader(cells, text, fault);
    else {
      this.rowCount += 1;
      rows.push({ cells, text, fault });
    }
  }

  #readHeader(cells: readonly string[], text: string, rowFault: ValidationError | null): void {
    this.header = cells;
    this.headerText = text;
    const { columns, fault } = batchColumnsOf(cells);
    if (rowFault === STRAY_QUOTE_FAULT)
      this.fault = quotedDelimiterFault(text) ?? { ...STRAY_QUOTE_FAULT, loc: ['body', 'header'] };
    else if (fault) this.fault = fault;
    else this.columns = columns;
  }

  #broken(why: string): ValidationError {
    const row = this.rowCount + 1;
    return {
      loc: ['body', row],
      msg: `The file is not CSV at row ${row}: ${why}`,
      type: 'csv_parsing',
    };
  }
}

const OPEN_QUOTE = 'a quoted cell is not closed';

/** A row is too long also where a quoted cell is not closed: all that follows is in it. */
const TOO_LONG = 'a row is larger than 1 MiB, or a quoted cell is not closed';

const STRAY_QUOTE_FAULT: ValidationError = {
  loc: ['body'],
  msg: 'The row has a quotation mark inside a cell: put the cell in quotes, and write each quote in it twice',
  type: 'csv_quote',
};

function isBlank(cell: string): boolean {
  for (let at = 0; at < cell.length; at += 1) {
    const code = cell.charCodeAt(at);
    if (code !== SPACE && code !== TAB) return false;
  }
  return true;
}
