import {
  BATCH_BYTES_MAX,
  BATCH_ROWS_MAX,
  type BatchColumn,
  BatchCsvReader,
  type BatchCsvRow,
  type ValidationError,
} from '@insurance-verification/schema';

/** A row as its file has it: the cells of a CSV file, or a line of NDJSON. */
export type FileRow = readonly string[] | string | BrokenRow;

/** A row of a CSV file whose cells cannot be read. */
export interface BrokenRow {
  readonly text: string;
  readonly fault: ValidationError;
}

/** A batch's file as read; its rows are not judged yet. */
export interface ReadFile {
  readonly format: 'csv' | 'ndjson';
  /** The header row of a CSV file as it is there; empty for NDJSON. */
  readonly header: readonly string[];
  /** What the header row names, null for a column that is ignored; null for NDJSON, and where the header row is not known. */
  readonly columns: readonly (BatchColumn | null)[] | null;
  /** The rows, without the header row and blank lines. */
  readonly rows: readonly FileRow[];
  /** Whether the file begins with a byte order mark, as Excel writes it. */
  readonly hasMark: boolean;
  /** Why the file cannot be sent, as sentences; null where it can. */
  readonly fault: string | null;
}

const MIB = 1024 * 1024;

/** Bytes that are parsed before the page gets its turn. */
const PART_BYTES = 128 * 1024;

/**
 * Reads a batch's file in parts, so that the page can be used meanwhile: 100,000 rows of 15 MB take the parser 1.2 seconds,
 * and `judgeFile` 5. The policy of the page allows no worker (`trusted-types 'none'`).
 */
export async function readFile(file: File, signal: AbortSignal): Promise<ReadFile> {
  const format = formatOf(file.name);
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const hasMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const read = {
    format: format ?? 'csv',
    header: [],
    columns: null,
    rows: [],
    hasMark,
    fault: null,
  } as const;
  if (isWorkbook(head))
    return {
      ...read,
      fault: 'This is an Excel workbook. Save it as “CSV UTF-8 (comma delimited)”, and choose that file.',
    };
  if (format === null) return { ...read, fault: 'The name of the file should end with .csv or .ndjson.' };
  if (file.size > BATCH_BYTES_MAX)
    return { ...read, fault: `The file is larger than ${BATCH_BYTES_MAX / MIB} MiB. Send it in parts.` };
  try {
    return format === 'csv'
      ? { ...read, ...(await readCells(file, signal)) }
      : { ...read, ...countedRows(await readLines(file, signal)) };
  } catch (err) {
    if (signal.aborted) throw err;
    return { ...read, fault: wordsFor(err) };
  }
}

function formatOf(name: string): ReadFile['format'] | null {
  const ending = /\.(csv|ndjson)$/i.exec(name)?.[1]?.toLowerCase();
  return ending === 'csv' || ending === 'ndjson' ? ending : null;
}

/** An `.xlsx` file is a ZIP archive, whatever its name. */
const isWorkbook = ([first, second]: Uint8Array): boolean => first === 0x50 && second === 0x4b;

const countedRows = (rows: readonly FileRow[]) => ({ rows, fault: faultOfCount(rows.length) });

function faultOfCount(count: number): string | null {
  if (count === 0) return 'The file has no rows.';
  if (count <= BATCH_ROWS_MAX) return null;
  return `The file has more than ${BATCH_ROWS_MAX.toLocaleString('en-US')} rows. Send it in parts.`;
}

async function readCells(
  file: File,
  signal: AbortSignal,
): Promise<Pick<ReadFile, 'header' | 'columns' | 'rows' | 'fault'>> {
  const reader = new BatchCsvReader();
  const rows: FileRow[] = [];
  const keep = (read: readonly BatchCsvRow[]) => {
    for (const { cells, text, fault } of read) rows.push(fault ? { text, fault } : cells);
  };
  for await (const text of textOf(file, signal)) {
    keep(reader.push(text));
    // The first rows show what the header row may have meant.
    if (reader.fault && !reader.columns) keep(withoutHeader(text, reader.header));
    if (reader.fault) break;
  }
  keep(reader.end());
  const { header, columns, fault } = reader;
  return { header, columns, ...countedRows(rows), ...(fault && { fault: sentenceOf(fault) }) };
}

/** Rows that the page shows of a file whose header row is not known. */
const SHOWN_ROWS = 3;

const withoutHeader = (text: string, header: readonly string[]): BatchCsvRow[] =>
  new BatchCsvReader(header.map(() => null)).push(text).slice(1, 1 + SHOWN_ROWS);

const sentenceOf = ({ type, loc, msg }: ValidationError): string =>
  type === 'csv_parsing'
    ? `The file cannot be read at row ${Number(loc.at(-1)).toLocaleString('en-US')}: a quotation mark there has no partner.`
    : `${msg}.`;

async function readLines(file: File, signal: AbortSignal): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  let rest = '';
  for await (const text of textOf(file, signal)) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    rows.push(...lines);
  }
  return [...rows, rest].filter((line) => typeof line === 'string' && line.trim() !== '');
}

/**
 * The text of a file part by part. The page has its turn after each. A byte order mark stays, as in the service: the CSV
 * parser drops it, and in NDJSON it is a fault of the first line.
 */
async function* textOf(file: File, signal: AbortSignal): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let from = 0; from < file.size; from += PART_BYTES) {
    const bytes = await file.slice(from, from + PART_BYTES).arrayBuffer();
    yield decoder.decode(bytes, { stream: true });
    await turn(signal);
  }
  yield decoder.decode();
}

/** Lets the page handle what the person does. @throws the reason of the signal. */
export async function turn(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  signal.throwIfAborted();
}

/** Why a file could not be read. */
function wordsFor(err: unknown): string {
  if (err instanceof TypeError)
    return 'The file is not in UTF-8. Save it as “CSV UTF-8 (comma delimited)”, and choose it again.';
  if (err instanceof DOMException && err.name === 'NotReadableError')
    return 'The file has changed since it was chosen. Choose it again.';
  throw err;
}
